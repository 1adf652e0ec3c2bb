export const workflowArgument = { summary: "A workflow's name, hash or file." } as const;
