import type { ThreadId } from "../../base/ids.ts";
import type { DesignTurn } from "./design-turn.ts";
import { BREAK, spelledOut } from "./invisible.ts";
import { turnMarker } from "./marker.ts";
import { mention } from "./mention.ts";
import { mermaidBlock } from "./mermaid-block.ts";
import { cutAtLine, neutralize, neutralizeLine } from "./neutralize.ts";

type Words = {
  options: string;
  complexity: Readonly<Record<"simple" | "medium" | "complex", string>>;
  tradeOffs: string;
  choose: string;
  answer: string;
  draft: (name: string) => string;
  findings: string;
  cut: (left: string) => string;
  failed: string;
  goOn: string;
};

const english: Words = {
  options: "for example",
  complexity: { simple: "simple", medium: "of medium complexity", complex: "complex" },
  tradeOffs: "Trade-offs",
  choose: "Answer with a number, or say what you want instead.",
  answer: "Answer in a comment: several questions at once, or none, or something else.",
  draft: (name) => `The file of ${name}`,
  findings: "What its checks have found",
  cut: (left) => `… ${left} more characters`,
  failed: "Something went wrong.",
  goOn: "A comment of yours goes on from here, in other words where these did not help; `/resume` tries once more.",
};

const chinese: Words = {
  options: "例如",
  complexity: { simple: "简单", medium: "中等复杂", complex: "复杂" },
  tradeOffs: "取舍",
  choose: "请回复编号，或说明您想要什么。",
  answer: "请在评论中回答：可以一次回答几个问题，也可以不回答，或说别的。",
  draft: (name) => `${name} 的文件`,
  findings: "检查发现的问题",
  cut: (left) => `… 还有 ${left} 个字符`,
  failed: "出错了。",
  goOn: "请评论后从这里继续（必要时换一种说法）；`/resume` 会再试一次。",
};

/** Forges refuse comments from 65,536 characters on. */
const MAX_CHARS = 60_000;
const TEXT_CHARS = 12_000;
const FILE_CHARS = 24_000;
const LINE_CHARS = 1_500;
/** Of one of many. */
const ITEM_CHARS = 250;
const FINDINGS = 20;

/** The Markdown of the comment with which the designer takes its turn, once, and mentions whoever it talks with. */
export const designComment = (
  turn: DesignTurn,
  { thread, step, to }: { thread: ThreadId; step: number; to: string | null },
): string => {
  const words = turn.language === "zh" ? chinese : english;
  const render = (shown: DesignTurn): string =>
    [
      `${turnMarker(thread, step)}${to === null ? "" : `\n${mention(to)}:`}`,
      neutralize(saidIn(shown), { maxChars: TEXT_CHARS }),
      ...questions(shown, words),
      ...alternatives(shown, words),
      ...draft(shown, words),
      ...failure(shown, words),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  const whole = render(turn);
  return whole.length <= MAX_CHARS ? whole : render({ ...turn, draft: null });
};

/** What a question says itself is not said twice. */
const saidIn = ({ said, questions: asked }: DesignTurn): string =>
  said.filter((text) => !asked.some(({ question }) => question === text)).join("\n\n");

const line = (text: string): string => neutralizeLine(text, { maxChars: LINE_CHARS });
const item = (text: string): string => neutralizeLine(text, { maxChars: ITEM_CHARS });

const questions = ({ questions: asked }: DesignTurn, words: Words): string[] => {
  if (asked.length === 0) return [];
  const items = asked.map(({ question, options }, index) => {
    const likely = options.length === 0 ? "" : ` (${words.options}: ${options.map(item).join(" · ")})`;
    return `${index + 1}. ${line(question)}${likely}`;
  });
  return [items.join("\n"), words.answer];
};

const alternatives = ({ alternatives: all }: DesignTurn, words: Words): string[] => {
  if (all.length === 0) return [];
  const items = all.map(({ title, description, approach, tradeOffs, complexity }, index) =>
    [
      `${index + 1}. **${line(title).replaceAll("*", "\\*")}** (${words.complexity[complexity]}): ${line(description)}`,
      `   - ${line(approach)}`,
      ...(tradeOffs.length === 0 ? [] : [`   - ${words.tradeOffs}: ${tradeOffs.map(item).join("; ")}`]),
    ].join("\n"),
  );
  return [items.join("\n"), words.choose];
};

const draft = ({ draft: made }: DesignTurn, words: Words): string[] => {
  if (made === null) return [];
  const { name, source, graph, findings } = made;
  const found = findings.slice(0, FINDINGS).map((finding) => `- ${item(finding)}`);
  return [
    ...(graph === null ? [] : [mermaidBlock(graph)]),
    ...(found.length === 0 ? [] : [`${words.findings}:\n\n${found.join("\n")}`]),
    `<details>\n<summary>${words.draft(`<code>${tagText(name)}</code>`)}</summary>\n\n${fileBlock(source, words)}\n\n</details>`,
  ];
};

/** Every character of the file can be seen; what nobody would see is spelled out. */
const fileBlock = (source: string, words: Words): string => {
  const whole = spelledOut(source).replaceAll("<!--", `<${BREAK}!--`).trimEnd();
  const shown = whole.length <= FILE_CHARS ? whole : cutAtLine(whole, FILE_CHARS);
  const left = whole.length - shown.length;
  const runs = shown.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}yaml\n${shown}\n${fence}${left === 0 ? "" : `\n\n${words.cut(left.toLocaleString("en-US"))}`}`;
};

/** Names of workflows have letters, digits, dots, dashes and underscores alone; anything else is not shown as markup. */
const tagText = (text: string): string => text.replace(/[^\w.-]/g, "");

const failure = ({ failed }: DesignTurn, words: Words): string[] =>
  failed === null ? [] : [`**${words.failed}** ${line(failed)}`, words.goOn];
