/** The parsed files of a folder, and where a name that stands in one of them is declared. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

/** A node of the syntax tree (ESTree with TypeScript). Each kind has fields of its own. */
export interface Node {
  type: string;
  start: number;
  parent: Node | null;
  file: SourceFile;
  // oxlint-disable-next-line typescript/no-explicit-any -- the fields depend on the type, which the reader checks
  [field: string]: any;
}

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string;
  text: string;
}

export interface Project {
  files: ReadonlyMap<string, SourceFile>;
  /** The tree of a file, which is made when it is first asked for; undefined for what is no file of ours. */
  programOf(path: string): Node | undefined;
}

/** Where a name is bound. */
export type Binding =
  | { is: "variable"; declarator: Node; pattern: Node }
  | { is: "function"; node: Node }
  | { is: "parameter"; owner: Node; index: number; pattern: Node }
  | { is: "type"; node: Node };

/** Reads `folder` below the root: TypeScript files that are no tests. */
export function readProject(root: string, folder: string): Project {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  const paths = entries.map((entry) => `${folder}/${entry.replaceAll("\\", "/")}`);
  const sources = paths.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|testdata\.ts$/.test(path));
  return parseProject(new Map(sources.map((path) => [path, readFileSync(join(root, path), "utf8")])));
}

/** By path from the root. */
export function parseProject(texts: ReadonlyMap<string, string>): Project {
  const files = new Map([...texts].map(([path, text]): [string, SourceFile] => [path, { path, text }]));
  const programs = new Map<string, Node>();
  return {
    files,
    programOf(path) {
      const file = files.get(path);
      if (file === undefined) return undefined;
      const program = programs.get(path) ?? parseFile(file);
      programs.set(path, program);
      return program;
    },
  };
}

function parseFile(file: SourceFile): Node {
  const { program, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new Error(`${file.path} can't be parsed: ${errors[0]?.message}`);
  const root = program as unknown as Node;
  link(root, null, file);
  return root;
}

function link(node: Node, parent: Node | null, file: SourceFile): void {
  node.parent = parent;
  node.file = file;
  for (const child of childrenOf(node)) link(child, node, file);
}

/** Calls of `f(…)` and `x.f(…)`, wherever they stand. */
export function callsOf(project: Project, name: string): Node[] {
  return [...project.files.values()]
    .filter(({ text }) => text.includes(`${name}(`))
    .flatMap(({ path }) => [...walk(project.programOf(path))])
    .filter(
      ({ type, callee }) => type === "CallExpression" && (callee.name ?? callee.property?.name) === name,
    );
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const field in node) {
    if (field === "parent" || field === "file") continue;
    const value: unknown = node[field];
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) children.push(each);
  }
  return children;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** The node and all below it. */
export function* walk(node: Node | undefined): Generator<Node> {
  if (node === undefined) return;
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

export const textOf = (node: Node): string => node.file.text.slice(node.start, node.end);

/** `src/x/store.ts:12` */
export const placeOf = (node: Node): string =>
  `${node.file.path}:${node.file.text.slice(0, node.start).split("\n").length}`;

const isFunction = (node: Node): boolean =>
  ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);

/** The declaration that a name has where it stands; undefined for what is declared outside the files. */
export function findBinding(project: Project, name: string, from: Node): Binding | undefined {
  for (let scope: Node | null = from; scope !== null; scope = scope.parent) {
    const own = bindingIn(scope, name);
    if (own !== undefined) return own;
    if (scope.type === "Program") return importedBinding(project, name, scope);
  }
  return undefined;
}

function bindingIn(scope: Node, name: string): Binding | undefined {
  if (isFunction(scope)) {
    for (const [index, param] of (scope.params as Node[]).entries()) {
      const pattern = patternOf(param, name);
      if (pattern !== undefined) return { is: "parameter", owner: scope, index, pattern };
    }
    const typed = scope.typeParameters?.params?.find((each: Node) => each.name?.name === name);
    return typed && { is: "type", node: typed };
  }
  if (scope.type === "ForOfStatement") return variableIn(scope.left, name);
  if (scope.type !== "BlockStatement" && scope.type !== "Program") return undefined;
  for (const statement of scope.body as Node[]) {
    const declaration: Node = statement.declaration ?? statement;
    if (declaration.id?.name === name) {
      if (isFunction(declaration)) return { is: "function", node: declaration };
      if (declaration.type.startsWith("TS")) return { is: "type", node: declaration };
    }
    const variable = variableIn(declaration, name);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

function variableIn(declaration: Node, name: string): Binding | undefined {
  if (declaration.type !== "VariableDeclaration") return undefined;
  for (const declarator of declaration.declarations as Node[]) {
    const pattern = patternOf(declarator.id, name);
    if (pattern !== undefined) return { is: "variable", declarator, pattern };
  }
  return undefined;
}

/** The identifier within a pattern that binds the name. */
function patternOf(pattern: Node | null, name: string): Node | undefined {
  if (pattern === null) return undefined;
  if (pattern.type === "Identifier") return pattern.name === name ? pattern : undefined;
  if (pattern.type === "AssignmentPattern") return patternOf(pattern.left, name);
  if (pattern.type === "RestElement") return patternOf(pattern.argument, name);
  if (pattern.type === "Property") return patternOf(pattern.value, name);
  const inner: (Node | null)[] = pattern.properties ?? pattern.elements ?? [];
  for (const each of inner) {
    const found = patternOf(each, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function importedBinding(project: Project, name: string, program: Node): Binding | undefined {
  for (const statement of program.body as Node[]) {
    if (statement.type !== "ImportDeclaration") continue;
    for (const specifier of statement.specifiers as Node[]) {
      if (specifier.local.name !== name || specifier.type !== "ImportSpecifier") continue;
      return exportedBinding(
        project,
        resolvePath(program.file.path, statement.source.value),
        specifier.imported.name,
      );
    }
  }
  return undefined;
}

/** Follows one re-export after the other. */
function exportedBinding(project: Project, path: string, name: string): Binding | undefined {
  const program = project.programOf(path);
  if (program === undefined) return undefined;
  const own = bindingIn(program, name);
  if (own !== undefined) return own;
  for (const statement of program.body as Node[]) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const specifier: Node | undefined = statement.specifiers.find(
      (each: Node) => each.exported.name === name,
    );
    if (specifier === undefined) continue;
    if (statement.source === null) return importedBinding(project, specifier.local.name, program);
    return exportedBinding(project, resolvePath(path, statement.source.value), specifier.local.name);
  }
  return importedBinding(project, name, program);
}

const resolvePath = (from: string, specifier: string): string =>
  specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;

/** The function that a node stands in. */
export function functionAround(node: Node): Node | undefined {
  for (let each = node.parent; each !== null; each = each.parent) if (isFunction(each)) return each;
  return undefined;
}
