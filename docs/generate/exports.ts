import { readFileSync } from "node:fs";
import ts from "typescript";

/** What a module gives to others, as its source says it. */
export type PublicExport = {
  name: string;
  kind: "value" | "type";
  /** Without comment marks; empty where there is none. */
  doc: string;
  /** TypeScript: a function's head, a class without bodies, a type whole. */
  code: string;
};

/** The exports of a module that only passes on what others declare, in its order. Throws where it does anything else. */
export const publicExports = (module: URL): PublicExport[] =>
  parse(module).statements.flatMap((statement) => {
    if (
      !ts.isExportDeclaration(statement) ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause) ||
      !statement.moduleSpecifier ||
      !ts.isStringLiteral(statement.moduleSpecifier)
    )
      throw new Error(`${module}: only \`export { … } from "…"\` is expected`);
    const source = parse(new URL(statement.moduleSpecifier.text, module));
    return statement.exportClause.elements.map(({ name }) => described(name.text, source));
  });

const parse = (module: URL): ts.SourceFile =>
  ts.createSourceFile(module.pathname, readFileSync(module, "utf8"), ts.ScriptTarget.Latest, true);

type Declared =
  | ts.VariableStatement
  | ts.ClassDeclaration
  | ts.TypeAliasDeclaration
  | ts.InterfaceDeclaration;

const described = (name: string, source: ts.SourceFile): PublicExport => {
  const found = source.statements.filter((statement) => namesOf(statement).includes(name)) as Declared[];
  const type = found.find((one) => ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one));
  const value = found.find((one) => ts.isVariableStatement(one) || ts.isClassDeclaration(one));
  const declared = value ?? type;
  if (declared === undefined) throw new Error(`${source.fileName} does not declare ${name}`);
  return {
    name,
    kind: type === undefined ? "value" : "type",
    doc: [value, type].map((one) => (one ? docOf(one) : "")).find((text) => text !== "") ?? "",
    code: codeOf(declared, source),
  };
};

const namesOf = (statement: ts.Statement): string[] => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((one) => one.name.getText());
  const named =
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement);
  return named && statement.name ? [statement.name.text] : [];
};

const docOf = (declared: Declared): string =>
  ts
    .getJSDocCommentsAndTags(declared)
    .flatMap((doc) => (ts.isJSDoc(doc) ? [ts.getTextOfJSDocComment(doc.comment) ?? ""] : []))
    .join("\n\n");

const codeOf = (declared: Declared, source: ts.SourceFile): string => {
  if (ts.isClassDeclaration(declared)) return classCode(declared, source);
  if (!ts.isVariableStatement(declared)) return plain(declared.getText(source));
  const [variable] = declared.declarationList.declarations;
  const value = variable?.initializer;
  if (variable === undefined || value === undefined)
    throw new Error(`${source.fileName}: a value is missing`);
  const name = variable.name.getText(source);
  if (!ts.isArrowFunction(value))
    return variable.type
      ? `${name}: ${variable.type.getText(source)}`
      : plain(declared.getText(source)).replace(/;$/, "");
  return `${name}${headOf(value, { source, arrow: ": " })}`;
};

const headOf = (
  { typeParameters, parameters, type }: ts.ArrowFunction | ts.ConstructorDeclaration,
  { source, arrow }: { source: ts.SourceFile; arrow: string },
): string => {
  const generic = typeParameters ? `<${typeParameters.map((one) => one.getText(source)).join(", ")}>` : "";
  const given = parameters.map((one) => one.getText(source)).join(", ");
  return `${generic}(${given})${type ? `${arrow}${type.getText(source)}` : ""}`;
};

const classCode = (declared: ts.ClassDeclaration, source: ts.SourceFile): string => {
  const members = declared.members.flatMap((member) => {
    if (ts.isPropertyDeclaration(member)) return [member.getFullText(source).replace(/^\n+/, "")];
    if (ts.isConstructorDeclaration(member))
      return [`  constructor${headOf(member, { source, arrow: ": " })};`];
    return [];
  });
  const bases = (declared.heritageClauses ?? []).map((one) => ` ${one.getText(source)}`).join("");
  return [`class ${declared.name?.text}${bases} {`, ...members, "}"].join("\n");
};

const plain = (text: string): string => text.replace(/^export /, "").replace(/;$/, "");
