import type { WorkflowStage } from "./stages.ts";

export type Language = "zh" | "en";

type Words = {
  stages: Readonly<Record<WorkflowStage, string>>;
  actions: Readonly<Record<WorkflowStage, readonly string[]>>;
  greeting: string;
  greetingWith: (name: string) => string;
  nameTaken: (name: string) => string;
  replace: (name: string) => string;
  otherName: string;
  noGaps: string;
  gaps: (lines: readonly string[]) => string;
  chosen: (title: string) => string;
  writing: string;
  checked: (count: { edges: number; findings: number }) => string;
  stillFaulty: (findings: readonly string[]) => string;
  complete: (workflow: { name: string; roles: number }) => string;
  /** The same where it goes into the repository by a pull request. */
  proposed: (workflow: { name: string; roles: number }) => string;
  nearest: (name: string) => string;
  cutOff: string;
};

const english: Words = {
  stages: {
    clarification: "Finding out what you want",
    negotiation: "Agreeing on what will be made",
    gap_analysis: "Comparing what it needs with what is installed",
    alternative_generation: "Choosing how to do it",
    workflow_generation: "Writing the workflow",
    debug: "Checking the workflow",
    completed: "Ready to run",
    error: "Stopped",
  },
  actions: {
    clarification: ["Answer the questions, or say more"],
    negotiation: ["Say yes, or what should be different"],
    gap_analysis: [],
    alternative_generation: ["Choose one of the options, or say what you want instead"],
    workflow_generation: [],
    debug: ["Say how to go on"],
    completed: ["Run it, or say what should be different"],
    error: ["Try again"],
  },
  greeting:
    "What should the workflow do? Say what begins it, what is to be done, by whom, and what should come out.",
  greetingWith: (name) => `I have \`${name}\` before me. What should be different?`,
  nameTaken: (name) =>
    `There is a workflow \`${name}\` already. Should the new one replace it, or have another name?`,
  replace: (name) => `Replace ${name}`,
  otherName: "Another name",
  noGaps: "Everything that it needs is installed.",
  gaps: (lines) => `Not everything that it needs is here:\n\n${bullets(lines)}`,
  chosen: (title) => `Then this way: ${title}.`,
  writing: "I am writing the workflow.",
  checked: ({ edges, findings }) =>
    findings === 0
      ? `The file is valid, and a dry run took all ${edges} edges to the end.`
      : `The checks have ${findings} ${findings === 1 ? "finding" : "findings"}.`,
  stillFaulty: (findings) =>
    `I could not get the workflow through its checks. What is left:\n\n${bullets(findings)}\n\nShould I try again, with a hint from you, or should it do something simpler?`,
  complete: ({ name, roles }) =>
    `The workflow \`${name}\` (${roles} ${roles === 1 ? "role" : "roles"}) is ready. Start it with \`/run ${name}\` in an issue, or \`uwf thread start ${name}\`.`,
  proposed: ({ name, roles }) =>
    `The workflow \`${name}\` (${roles} ${roles === 1 ? "role" : "roles"}) is made, and its file is proposed in a pull request. Once that is merged, \`/run ${name}\` in an issue starts it.`,
  nearest: (name) => `; the nearest is ${name}`,
  cutOff: "This was cut off before it was answered.",
};

const chinese: Words = {
  stages: {
    clarification: "了解您的需求",
    negotiation: "确认要做的内容",
    gap_analysis: "对比所需与已安装的能力",
    alternative_generation: "选择实现方案",
    workflow_generation: "编写工作流",
    debug: "检查工作流",
    completed: "可以运行",
    error: "已停止",
  },
  actions: {
    clarification: ["回答问题，或补充说明"],
    negotiation: ["确认，或说明要改什么"],
    gap_analysis: [],
    alternative_generation: ["选择一个方案，或说明您想要什么"],
    workflow_generation: [],
    debug: ["说明如何继续"],
    completed: ["运行，或说明要改什么"],
    error: ["重试"],
  },
  greeting: "这个工作流要做什么？请说明由什么触发、要做哪些事、由谁来做、最后得到什么。",
  greetingWith: (name) => `我已打开 \`${name}\`。您想改什么？`,
  nameTaken: (name) => `已经有名为 \`${name}\` 的工作流。要替换它，还是换一个名字？`,
  replace: (name) => `替换 ${name}`,
  otherName: "换一个名字",
  noGaps: "所需的能力都已安装。",
  gaps: (lines) => `以下所需的能力这里没有：\n\n${bullets(lines)}`,
  chosen: (title) => `好，采用：${title}。`,
  writing: "我正在编写工作流。",
  checked: ({ edges, findings }) =>
    findings === 0 ? `文件有效，试运行走通了全部 ${edges} 条边并到达终点。` : `检查发现 ${findings} 个问题。`,
  stillFaulty: (findings) =>
    `工作流没有通过检查。剩下的问题：\n\n${bullets(findings)}\n\n要我按您的提示再试一次，还是改做更简单的？`,
  complete: ({ name, roles }) =>
    `工作流 \`${name}\`（${roles} 个角色）已就绪。在 issue 中写 \`/run ${name}\`，或执行 \`uwf thread start ${name}\` 即可运行。`,
  proposed: ({ name, roles }) =>
    `工作流 \`${name}\`（${roles} 个角色）已完成，文件将通过 pull request 提交。合并后，在 issue 中写 \`/run ${name}\` 即可运行。`,
  nearest: (name) => `；最接近的是 ${name}`,
  cutOff: "回答之前被中断了。",
};

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** What the program says itself, in the person's language. */
export const wordsIn = (language: Language): Words => (language === "zh" ? chinese : english);

/** The one that was asked for, or the one that the person wrote last. */
export const languageOf = (asked: Language | "", texts: readonly string[]): Language => {
  if (asked !== "") return asked;
  const written = texts.findLast((text) => /\p{L}/u.test(text)) ?? "";
  return /\p{Script=Han}/u.test(written) ? "zh" : "en";
};
