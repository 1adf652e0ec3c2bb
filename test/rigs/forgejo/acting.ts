import type { Api } from "../github/api.ts";
import type { Repository, World } from "./world.ts";

/** How to act as somebody, by the API, and where to look. */
export type Acting = { world: World; as(login: string): Api; repository(fullName: string): Repository };
