import type { Api } from "./api.ts";

/** How to act as somebody, and how to look at a list as the repository's owner. */
export type Acting = {
  as(login: string): Api;
  look(repository: string, path: string): Promise<unknown[]>;
};
