import type { Config } from "../config/config.ts";

/** Whether the server's configuration lets the bot work there: an empty list lets everything in. */
export const isAllowed = ({ organisations, repositories }: Config["allow"], repository: string): boolean => {
  if (organisations.length === 0 && repositories.length === 0) return true;
  const name = repository.toLowerCase();
  const owner = name.split("/")[0];
  return (
    organisations.some((allowed) => allowed.toLowerCase() === owner) ||
    repositories.some((allowed) => allowed.toLowerCase() === name)
  );
};
