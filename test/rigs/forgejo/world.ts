import type { BareRepository } from "../github/bare-repository.ts";

export type Level = "owner" | "admin" | "write" | "read" | "none";
export type Scope = "issue" | "repository" | "user";

export type Account = {
  id: number;
  login: string;
  token: string;
  /** `read:user` and the like; null: everything. */
  scopes: ReadonlyMap<Scope, "read" | "write"> | null;
};

export type Reaction = { content: string; by: Account };

export type Comment = {
  id: number;
  author: Account;
  body: string;
  at: string;
  updatedAt: string;
  reactions: Reaction[];
};

/** A comment on a line: negative where the line is of the file before. */
export type CodeComment = Omit<Comment, "reactions"> & {
  path: string;
  line: number;
  hunk: string;
  commit: string;
  resolver: Account | null;
};

export type Review = {
  id: number;
  author: Account;
  state: "APPROVED" | "REQUEST_CHANGES" | "COMMENT";
  body: string;
  commit: string;
  at: string;
  comments: CodeComment[];
};

export type TimelineEntry = {
  id: number;
  type: "comment" | "label" | "review" | "pull_push";
  author: Account;
  body: string;
  at: string;
  label: string | null;
};

export type Pull = {
  branch: string;
  base: string;
  /** Where its branch stood last; the repository that has it: null for this one, `gone` where nobody has it. */
  commit: string;
  fork: string | null | "gone";
  merged: boolean;
  reviewers: string[];
  reviews: Review[];
};

/** An issue, or a pull request, which is one too. */
export type Item = {
  id: number;
  number: number;
  title: string;
  body: string;
  author: Account;
  state: "open" | "closed";
  labels: string[];
  at: string;
  updatedAt: string;
  comments: Comment[];
  reactions: Reaction[];
  timeline: TimelineEntry[];
  pull: Pull | null;
};

export type Status = {
  id: number;
  commit: string;
  context: string;
  state: string;
  description: string;
  url: string;
  author: Account;
  at: string;
};

export type Repository = {
  id: number;
  fullName: string;
  owner: { id: number; login: string };
  visibility: "public" | "private";
  bare: BareRepository;
  levels: Map<string, Level>;
  labels: { id: number; name: string; color: string }[];
  items: Map<number, Item>;
  statuses: Status[];
};

/** All that the server knows. */
export type World = {
  /** Where it is: `http://127.0.0.1:port`. */
  origin: string;
  accounts: Account[];
  repositories: Map<string, Repository>;
  /** Ids are the whole server's, so that none is mistaken for another. */
  nextId(): number;
};

/** Forgejo's times have whole seconds. */
export const nowText = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");

export const levelOf = (repository: Repository, account: Account): Level =>
  repository.levels.get(account.login) ?? (repository.visibility === "public" ? "read" : "none");

const ORDER: readonly Level[] = ["none", "read", "write", "admin", "owner"];

export const mayAtLeast = (repository: Repository, account: Account, level: Level): boolean =>
  ORDER.indexOf(levelOf(repository, account)) >= ORDER.indexOf(level);

export const touch = (item: Item): void => {
  item.updatedAt = nowText();
};
