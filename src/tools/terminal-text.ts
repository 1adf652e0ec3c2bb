// CSI, OSC and other string sequences, and two-character escapes (ECMA-48); each alternative is linear.
const ESCAPES = new RegExp(
  [
    String.raw`\u001B\[[0-?]*[ -/]*[@-~]`,
    String.raw`\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?`,
    String.raw`\u001B[ -/]+[0-~]`,
    String.raw`\u001B[0-~]`,
    String.raw`\u009B[0-?]*[ -/]*[@-~]`,
  ].join("|"),
  "g",
);
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/**
 * What a person would read in the end: without escape sequences, of a line drawn over and over (`\r`) the last state,
 * backspaces applied, no other control characters than tab and line end.
 */
export const terminalText = (output: string): string =>
  output
    .replace(ESCAPES, "")
    .replace(/(?<!\r)\r+\n/g, "\n")
    .split("\n")
    .map((line) => withBackspaces(lastState(line)))
    .join("\n")
    .replace(CONTROLS, "");

const lastState = (line: string): string => {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((state) => state.trim() !== "") ?? "";
};

const withBackspaces = (line: string): string => {
  if (!line.includes("\b")) return line;
  const kept: string[] = [];
  for (const char of line) {
    if (char === "\b") kept.pop();
    else kept.push(char);
  }
  return kept.join("");
};
