export type ForgeKind = "github" | "forgejo";
