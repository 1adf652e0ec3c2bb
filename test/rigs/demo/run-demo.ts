import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openSandbox } from "../../../src/app.ts";
import { AppError, messageOf } from "../../../src/base/errors.ts";
import type { Output } from "../../../src/cli/context.ts";
import { progressView } from "../../../src/cli/progress/progress-view.ts";
import { type Style, styleFor } from "../../../src/cli/style.ts";
import type { Config } from "../../../src/config/config.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import type { ForgeKind } from "../../../src/forge/events.ts";
import { zeroUsage } from "../../../src/llm/usage.ts";
import { type Service, startBot } from "../../../src/serve.ts";
import type { ThreadEvent } from "../../../src/thread/events.ts";
import { isRunnable } from "../../../src/thread/state.ts";
import { demoIssue, demoRepository, demoScript } from "../demo-script.ts";
import { modelServer } from "../model-server.ts";
import { type DemoForge, demoForge } from "./demo-forge.ts";
import { type TestOutcome, testBranch } from "./repository-test.ts";

type Env = Readonly<Record<string, string | undefined>>;

const REPOSITORY = "acme/durations";
const MAINTAINER = "mona";
const LABEL = "uwf";

/** The whole way once: an emulated forge with real git, the bot, a model over HTTP, a repository whose test fails. */
export const runDemo = async ({
  env,
  output,
  forge,
}: {
  env: Env;
  output: NodeJS.WriteStream;
  forge: ForgeKind;
}): Promise<0 | 1> => {
  const screen: Output = {
    write: (text) => void output.write(text),
    isTerminal: output.isTTY === true,
    columns: () => output.columns ?? 0,
  };
  const style = await styleFor(screen, { env });
  const root = await mkdtemp(join(tmpdir(), "uwf-demo-"));
  const rig = await demoForge(forge, {
    repository: REPOSITORY,
    from: demoRepository,
    maintainer: MAINTAINER,
  });
  const model = await demoModel(env);
  let bot: Service | undefined;
  try {
    const config = await withWorkingSandbox(
      loadConfig({
        env: { ...env, ...rig.env, ...model.env, UWF_STORAGE_ROOT: root, HOST: "127.0.0.1", PORT: "0" },
      }),
      { say: (text) => screen.write(`${style.yellow(text)}\n`) },
    );
    screen.write(opening({ rig, model: model.name, config, style }));
    const view = progressView(screen, { style, now: Date.now });
    const ended = endOfThread();
    bot = await startBot(config, {
      log: pino({ level: env.LOG_LEVEL ?? "silent" }, pino.destination(2)),
      emit: (event) => {
        view.emit(event);
        ended.see(event);
      },
    });
    rig.sendWebhooksTo(`${bot.url}${rig.hookPath}`);
    return await play({ rig, screen, style, view, ended: ended.promise });
  } finally {
    await bot?.close();
    await model.close();
    await rig.close();
    await rm(root, { recursive: true, force: true });
  }
};

type Stage = {
  rig: DemoForge;
  screen: Output;
  style: Style;
  view: ReturnType<typeof progressView>;
  ended: Promise<Extract<ThreadEvent, { kind: "status" }>>;
};

const play = async ({ rig, screen, style, view, ended }: Stage): Promise<0 | 1> => {
  const repository = rig.bare(REPOSITORY).directory;
  const heading = (text: string) => screen.write(`\n${style.bold(text)}\n`);
  const show = (outcome: TestOutcome) =>
    screen.write(
      outcome.lines
        .map((line) => `  ${outcome.passed ? style.green(line) : paintFailure(line, style)}\n`)
        .join(""),
    );

  heading(`1. ${REPOSITORY} as it is: its own test fails`);
  show(await testBranch(repository, "main"));

  const issue = await rig.openIssue(REPOSITORY, { ...demoIssue, author: MAINTAINER });
  heading(
    `2. ${MAINTAINER} labels issue #${issue.number} "${demoIssue.title}" with \`${LABEL}\`; the bot works`,
  );
  view.begin(zeroUsage());
  await rig.label(REPOSITORY, issue.number, LABEL, MAINTAINER);
  const end = await ended;
  view.close();

  const [pull] = await rig.pullRequests(REPOSITORY);
  if (pull === undefined) {
    screen.write(`\n${style.red(`No pull request: the thread is ${end.status}. ${end.reason ?? ""}`)}\n`);
    return 1;
  }
  heading(`3. Pull request #${pull.number}: ${pull.title}`);
  screen.write(
    `${indent(`${pull.author} wants to merge ${pull.head.branch} into ${pull.base}${pull.draft ? " (draft)" : ""}\n\n${pull.body}`)}\n`,
  );
  heading("4. The comment on the issue");
  for (const comment of await finalComments(rig, issue.number)) screen.write(`${indent(comment.body)}\n`);
  heading(`5. ${pull.head.branch} at ${pull.head.commit.slice(0, 12)}: the same test`);
  const after = await testBranch(repository, pull.head.branch);
  show(after);
  screen.write(`\n${after.passed ? style.green("The test passes.") : style.red("The test still fails.")}\n`);
  return after.passed ? 0 : 1;
};

/** The comments, once the bot's own says how it ended: that edit comes a moment after the end. */
const finalComments = async (rig: DemoForge, issue: number): ReturnType<DemoForge["comments"]> => {
  for (let attempt = 0; ; attempt++) {
    const comments = await rig.comments(REPOSITORY, issue);
    const working = comments.some(({ body }) => /^\*\*(Queued|Working)\./m.test(body));
    if (comments.length > 0 && (!working || attempt === 100)) return comments;
    await sleep(100);
  }
};

/** Resolves when the thread stands still. */
const endOfThread = () => {
  const { promise, resolve } = Promise.withResolvers<Extract<ThreadEvent, { kind: "status" }>>();
  return {
    promise,
    see: (event: ThreadEvent) => {
      if (event.kind === "status" && event.within === undefined && !isRunnable(event.status)) resolve(event);
    },
  };
};

/** The scripted model behind HTTP, or the model that the environment names. */
const demoModel = async (env: Env) => {
  if (env.OPENAI_API_KEY)
    return { name: env.OPENAI_MODEL ?? "as configured", env: {}, close: async () => undefined };
  const server = await modelServer({ script: demoScript });
  return {
    name: `a script, over HTTP at ${server.url}`,
    env: { OPENAI_API_KEY: "sk-of-a-scripted-model", OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted" },
    close: server.close,
  };
};

/** Only here, and only for the demo's own repository and script, may a missing sandbox be done without. */
const withWorkingSandbox = async (config: Config, { say }: { say(text: string): void }): Promise<Config> => {
  try {
    await (await openSandbox(config)).check();
    return config;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "sandbox-unavailable") throw error;
    say(
      `No sandbox here: ${messageOf(error)}\nThe demo goes on without one, on its own repository. The bot itself would refuse.`,
    );
    return { ...config, sandbox: { ...config.sandbox, kind: "none" } };
  }
};

const opening = ({
  rig,
  model,
  config,
  style,
}: {
  rig: DemoForge;
  model: string;
  config: Config;
  style: Style;
}): string =>
  [
    style.bold("uwf: an issue becomes a pull request, on this machine alone"),
    "",
    `  forge    an emulated ${rig.name} with real git, ${rig.webUrl}`,
    `  model    ${model}`,
    `  sandbox  ${config.sandbox.kind}`,
    "",
  ].join("\n");

const paintFailure = (line: string, style: Style): string =>
  /^(not ok|# fail)/.test(line) ? style.red(line) : line;

const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");
