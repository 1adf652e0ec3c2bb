const each = (list: string, variable: string, body: string): string => `${list}.all(${variable}, ${body})`;
const many = `[${Array.from({ length: 150 }, (_, at) => at).join(",")}]`;

/** Conditions over an output with `text` (100,000 characters `a`) and `items` of 1,000 numbers. They may be decided, or refused. */
export const conditions: readonly [what: string, when: string][] = [
  ["loops in loops", each(many, "a", each(many, "b", each(many, "c", "a + b + c >= 0")))],
  [
    "loops over the output",
    each("output.items", "a", each("output.items", "b", each("output.items", "c", "true"))),
  ],
  ["maps of maps", "output.items.map(a, output.items.map(b, output.items.map(c, a + b + c))).size() > 0"],
  [
    "filters of filters",
    "output.items.filter(a, output.items.filter(b, output.items.exists(c, c > a + b)).size() > 0).size() >= 0",
  ],
  ["a pattern that backtracks", "output.text.matches('^(a+)+$')"],
  ["a pattern that backtracks by alternatives", "output.text.matches('^(a|a|a)*b$')"],
  ["a pattern that backtracks by a reference", "output.text.matches('(a*)*\\\\1b')"],
  ["a pattern of a huge count", "output.text.matches('(a{1,30000}){1,30000}b')"],
  ["a pattern that does not end", "output.text.matches('(((')"],
  ["a text that doubles", `"${"x".repeat(1_000)}"`.concat(' + "x"'.repeat(400), ' == ""')],
  ["numbers beyond all numbers", "999999999999999999999999999999 * 999999999999999999999 > 0"],
  ["an overflow", "9223372036854775807 + 1 > 0"],
  ["a division by nothing", "1 / 0 == 1"],
  ["a remainder of nothing", "1 % 0 == 1"],
  ["a nest of brackets", "(".repeat(2_000).concat("true", ")".repeat(2_000))],
  ["a nest of negations", "!".repeat(3_000).concat("true")],
  ["a nest of lists", "[".repeat(1_000).concat("]".repeat(1_000), " == []")],
  ["a nest of choices", "true ? ".repeat(500).concat("true", " : false".repeat(500))],
  ["ten thousand characters", "true".concat(" && true".repeat(2_000))],
  ["a constructor", "output.constructor.name == 'Object'"],
  ["a prototype", "output.__proto__.x == 1"],
  ["a prototype by a text", "output['__proto__'] == null"],
  ["the process", "process.env.PATH != ''"],
  ["a function of the language around", "eval('1') == 1"],
  ["a call of a method", "output.text.constructor('return process')() != null"],
  ["a macro without its list", "output.all(a, true)"],
  ["a time beyond all times", "timestamp('99999-99-99T99:99:99Z') > timestamp('2026-01-01T00:00:00Z')"],
  ["a span beyond all spans", "duration('999999999999999h') > duration('1s')"],
  ["a text for an answer", "'yes'"],
  ["nothing at all", ""],
  ["a NUL", "output.text == '\u0000'"],
  ["a file", "readFile('/etc/passwd') != ''"],
];
