import {
  calls,
  createReactAdapter,
  createWorkflow,
  loadWorkflow,
  memoryContexts,
  resolves,
  scriptedModel,
} from "uwf";

const workflow = await loadWorkflow(
  `
name: greet
roles:
  porter:
    goal: Find out who is at the door.
    schema: { type: object, required: [visitor], properties: { visitor: { type: string } } }
  greeter:
    goal: Greet the visitor.
    schema: { type: object, required: [text], properties: { text: { type: string } } }
moderator:
  - { from: $START, to: porter }
  - { from: porter, to: greeter, prompt: "Greet {{ visitor }}." }
  - { from: greeter, to: $END }
`,
  { file: "greet.yaml" },
);

// A model that answers from a script. `openaiModel` asks a real one.
const provider = scriptedModel([
  calls("look", { door: 1 }),
  resolves({ visitor: "Ada" }),
  resolves({ text: "Good morning, Ada." }),
]);

const adapter = createReactAdapter({
  provider,
  tools: [
    {
      type: "function",
      function: {
        name: "look",
        description: "Tells who is at a door.",
        parameters: { type: "object", required: ["door"], properties: { door: { type: "integer" } } },
      },
    },
  ],
  toolHandler: async (_name, args) => (JSON.parse(args).door === 1 ? "Ada is there." : "Nobody is there."),
  maxRounds: 20,
});

const input = "Somebody has knocked at door 1.";
const run = createWorkflow(workflow, { adapter, overrides: null });
const steps = run(
  { input },
  { contextFor: memoryContexts(workflow, { input, signal: AbortSignal.timeout(60_000) }) },
);

let next = await steps.next();
for (; !next.done; next = await steps.next()) console.log(next.value.role, next.value.output);
console.log(next.value);
