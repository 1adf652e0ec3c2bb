import { at } from "../../github/api.ts";
import { json } from "../../github/http.ts";
import { labelOf, repositoryOf, userOf } from "../render.ts";
import { inRepository, notFound, type Route, refuse } from "../route.ts";
import { levelOf, mayAtLeast } from "../world.ts";
import { writeFile } from "../write-file.ts";
import { followBranches } from "./pulls.ts";

const user: Route = {
  method: "GET",
  path: /^\/user$/,
  scope: "user",
  answer: ({ world, by }) => json(200, userOf(world, by)),
};

const read = inRepository({
  method: "GET",
  rest: "",
  scope: "repository",
  level: "read",
  answer: ({ world, repository }) => json(200, repositoryOf(world, repository)),
});

const ONLY_ADMINS =
  "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own";

const permission = inRepository({
  method: "GET",
  rest: "/collaborators/(?<login>[^/]+)/permission",
  scope: "repository",
  level: "read",
  answer: ({ world, repository, by, params }) => {
    const login = decodeURIComponent(params.login ?? "");
    if (by.login !== login && !mayAtLeast(repository, by, "admin")) return refuse(403, ONLY_ADMINS);
    const asked = world.accounts.find((account) => account.login.toLowerCase() === login.toLowerCase());
    if (asked === undefined) return notFound;
    const level = levelOf(repository, asked);
    return json(200, { permission: level, role_name: level, user: userOf(world, asked) });
  },
});

const addLabel = inRepository({
  method: "POST",
  rest: "/labels",
  scope: "issue",
  level: "write",
  answer: ({ world, repository, body }) => {
    const name = String(at(body, "name"));
    repository.labels.push({ id: world.nextId(), name, color: "1d76db" });
    return json(201, labelOf(repository, name));
  },
});

const contents = inRepository({
  method: "GET",
  rest: "/contents/(?<path>.+)",
  scope: "repository",
  level: "read",
  answer: async ({ repository, params, query }) => {
    const path = decodeURIComponent(params.path ?? "");
    const object = `${query.get("ref") ?? "main"}:${path}`;
    const type = (await repository.bare.git("cat-file", "-t", object).catch(() => "")).trim();
    if (type === "") return notFound;
    const sha = (await repository.bare.git("rev-parse", object)).trim();
    const entry = { name: path.split("/").at(-1) ?? "", path, sha };
    if (type !== "blob") return json(200, [{ ...entry, type: "dir", content: null, encoding: null }]);
    const text = await repository.bare.git("cat-file", "blob", sha);
    const content = Buffer.from(text).toString("base64");
    return json(200, { ...entry, type: "file", size: text.length, encoding: "base64", content });
  },
});

const write = inRepository({
  method: "PUT",
  rest: "/contents/(?<path>.+)",
  scope: "repository",
  level: "write",
  answer: async (call) => {
    const { repository, params, body } = call;
    const branch = String(at(body, "branch") ?? "main");
    const content = Buffer.from(String(at(body, "content")), "base64");
    await writeFile(repository.bare, { path: decodeURIComponent(params.path ?? ""), content, branch });
    await followBranches(call);
    return json(201, { content: null });
  },
});

const addBranch = inRepository({
  method: "POST",
  rest: "/branches",
  scope: "repository",
  level: "write",
  answer: async ({ repository, body }) => {
    const from = String(at(body, "old_ref_name") ?? "main");
    const name = String(at(body, "new_branch_name"));
    await repository.bare.git("update-ref", `refs/heads/${name}`, `refs/heads/${from}`);
    return json(201, { name });
  },
});

export const repositoryRoutes: readonly Route[] = [
  user,
  read,
  permission,
  addLabel,
  contents,
  write,
  addBranch,
];
