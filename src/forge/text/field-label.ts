/** `repoPath` → `Repo path`. */
export const fieldLabel = (key: string): string => {
  const words = key
    .replace(/^\$/, "")
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
