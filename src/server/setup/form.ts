import { z } from "zod";

/** What the first page asks. */
export type SetupForm = {
  organisation: string | null;
  /** Without a slash at its end. */
  publicUrl: string;
  name: string;
};

export type FormFields = { organisation: string; publicUrl: string; name: string };

export type ReadForm =
  | { kind: "form"; form: SetupForm }
  | { kind: "problems"; fields: FormFields; problems: readonly string[] };

/** GitHub takes no longer name of an App. */
const MAX_NAME = 34;

const Fields = z.object({
  organisation: z.string().trim().default(""),
  publicUrl: z.string().trim().default(""),
  name: z.string().trim().default(""),
});

/** Reads what a person wrote; the problems are sentences for the page. `isPublic`: the forge is on the Internet. */
export const readForm = (body: unknown, { isPublic }: { isPublic: boolean }): ReadForm => {
  const fields = Fields.catch({ organisation: "", publicUrl: "", name: "" }).parse(body);
  const { organisation } = fields;
  const name = fields.name === "" ? defaultName(organisation) : fields.name;
  const address = publicAddress(fields.publicUrl, { isPublic });
  const problems = [
    ...(/^([A-Za-z0-9][A-Za-z0-9_-]{0,99})?$/.test(organisation)
      ? []
      : ["The organisation is its name as it stands in addresses: letters, digits and dashes."]),
    ...("problem" in address ? [address.problem] : []),
    ...(name.length > MAX_NAME || !/^[\x20-\x7e]+$/.test(name)
      ? [`The App's name may have at most ${MAX_NAME} characters: letters, digits, spaces and dashes.`]
      : []),
  ];
  if ("problem" in address || problems.length > 0) return { kind: "problems", fields, problems };
  const owner = organisation === "" ? null : organisation;
  return { kind: "form", form: { organisation: owner, publicUrl: address.url, name } };
};

/** What stands in the form unseen; empty: nothing does. */
export const keyIn = (body: unknown): string => z.object({ key: z.string() }).safeParse(body).data?.key ?? "";

/** Names are unique on all of GitHub. */
const defaultName = (organisation: string): string =>
  organisation === "" ? "uwf" : `uwf-${organisation}`.slice(0, MAX_NAME).replace(/-+$/, "");

const publicAddress = (
  text: string,
  { isPublic }: { isPublic: boolean },
): { url: string } | { problem: string } => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return {
      problem: "The address is that of this server as GitHub reaches it, like https://uwf.example.org.",
    };
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return { problem: "The address holds a user, a query or a fragment; leave them out." };
  if (isPublic && isLoopback(url.hostname))
    return { problem: `GitHub cannot reach ${url.hostname}: it is this machine's own name for itself.` };
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, "") };
};

/** Whether a host of an address is the machine itself. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/i.test(hostname);
