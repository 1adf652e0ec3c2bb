import type { Workflow } from "./workflow.ts";

/** The file that would load as this workflow, in the table's form. */
export const fileText = async ({ name, description, roles, moderator }: Workflow): Promise<string> => {
  const { stringify } = await import("yaml");
  const written = Object.values(roles).map(({ name, ...role }) => [
    name,
    {
      description: role.description || null,
      workflow: role.workflow,
      systemPrompt: role.systemPrompt || null,
      tools: role.tools,
      model: role.model,
      limits: Object.keys(role.limits).length === 0 ? null : role.limits,
      approval: role.approval ?? null,
      publish: role.publish,
      schema: role.schema,
    },
  ]);
  const file = {
    version: 1,
    name,
    description: description || null,
    roles: Object.fromEntries(written.map(([role, fields]) => [role, said(fields as object)])),
    moderator: moderator.map(said),
  };
  return stringify(said(file), { lineWidth: 120, aliasDuplicateObjects: false });
};

const said = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
