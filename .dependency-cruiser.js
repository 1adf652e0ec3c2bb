/** Imports go one way; ARCHITECTURE.md draws it. */
const layers = [
  ["base"],
  ["store"],
  ["workflow", "llm", "workspace"],
  ["forge", "queue", "config"],
  ["tools"],
  ["agents"],
  ["thread"],
  ["intake", "worker", "telemetry", "designer"],
  ["server", "dashboard"],
  ["cli", "kit"],
];
/** What builds the parts, and puts them together. */
const TOP = "^src/(app/|(app|serve)\\.ts$)";
const path = (names) => `^src/(${names.join("|")})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers.map((names, index) => ({
      name: `${names.join("-")}-imports-only-what-is-below`,
      severity: "error",
      from: { path: path(names) },
      to: {
        path: [
          path(
            layers
              .slice(index + 1)
              .flat()
              .concat("none"),
          ),
          TOP,
        ],
        pathNot: names.includes("cli") ? TOP : "^$",
      },
    })),
    {
      name: "only-app-chooses-adapters",
      comment:
        "Adapters (<kind>-<port>.ts, and the forges' folders) are imported by app.ts and app/, the public api.ts and each other alone.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [
          "^src/(app/|(app|api)\\.ts$)",
          "^src/[^/]+/[a-z]+-(store|queue|sandbox)\\.ts$",
          "^src/forge/(github|forgejo|local)/",
          "^src/workspace/sandbox/",
        ],
      },
      to: {
        path: ["^src/[^/]+/[a-z]+-(store|queue|sandbox|model)\\.ts$", "^src/forge/(github|forgejo|local)/"],
      },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "src-does-not-import-tests",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench)/" },
    },
    {
      name: "not-to-dev-dependencies",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
