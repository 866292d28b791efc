/** The values that the expressions of the sources are read as. */
import { memberType, stringLiterals } from "./row-types.ts";
import { textOf } from "./sources.ts";
import type { Node, Project } from "./sources.ts";

export type Part =
  | string
  | { is: "parameter" }
  /** One of several, by a condition of the program; the same key decides alike everywhere in a statement. */
  | { is: "choice"; key: string; options: Part[][] }
  /** A list between separators; null stands for an item that is left out. */
  | { is: "join"; items: { key: string; options: (Part[] | null)[] }[]; separator: Part[] }
  | { is: "unknown"; place: string; text: string };

export type Value =
  /** `claim` is the type that the code gives to its rows. */
  | { is: "sql"; parts: Part[]; claim: Node | null }
  /** A text or a number of the program's own. */
  | { is: "text"; parts: Part[] }
  | { is: "choice"; key: string; options: Value[] }
  | { is: "list"; items: Value[] }
  | { is: "object"; fields: ReadonlyMap<string, () => Value> }
  | { is: "function"; node: Node; scope: Scope }
  | { is: "nothing" }
  /** Known only at run time, with its declared type where there is one. */
  | { is: "value"; type?: Node | undefined };

/** The arguments of the functions that are being read. */
export type Scope = ReadonlyMap<Node, readonly Value[]>;

export const value: Value = { is: "value" };
export const nothing: Value = { is: "nothing" };
export const emptyScope: Scope = new Map();

export interface State {
  project: Project;
  seen: Set<Node>;
  /** Functions that are being read, the innermost last. */
  stack: Node[];
  evaluate(state: State, node: Node, scope: Scope): Value;
}

export const textValue = (text: string): Value => ({ is: "text", parts: [text] });

/** A condition's key, and whether it stands there negated. */
function keyOf(test: Node): { key: string; isNegated: boolean } {
  const text = textOf(test).replaceAll(/\s+/g, " ");
  const isNegated = text.includes("!==") || text.startsWith("!");
  return { key: text.replaceAll("!==", "===").replace(/^!/, ""), isNegated };
}

export function choiceOf(test: Node, then: Value, otherwise: Value): Value {
  const { key, isNegated } = keyOf(test);
  return { is: "choice", key, options: isNegated ? [otherwise, then] : [then, otherwise] };
}

/** What an interpolation puts into a statement. */
export function asSql(given: Value): Part[] {
  if (given.is === "sql") return given.parts;
  if (given.is !== "choice" || !given.options.some(holdsSql)) return [{ is: "parameter" }];
  return [{ is: "choice", key: given.key, options: given.options.map(asSql) }];
}

export const holdsSql = (given: Value): boolean =>
  given.is === "sql" || (given.is === "choice" && given.options.some(holdsSql));

/** The parts of a text of the program's own, or undefined. */
export function asText(state: State, given: Value): Part[] | undefined {
  if (given.is === "text") return given.parts;
  if (given.is === "value") {
    const literals = given.type === undefined ? [] : stringLiterals(state.project, given.type);
    if (literals.length === 0) return undefined;
    return [{ is: "choice", key: literals.join("|"), options: literals.map((each) => [each]) }];
  }
  if (given.is !== "choice") return undefined;
  const options = given.options.map((each) => asText(state, each)).filter((each) => each !== undefined);
  return options.length === given.options.length ? [{ is: "choice", key: given.key, options }] : undefined;
}

/** One list after the other, in each way that both can be. */
export function append(list: Value, more: Value): Value {
  if (list.is === "choice") return { ...list, options: list.options.map((each) => append(each, more)) };
  if (more.is === "choice") return { ...more, options: more.options.map((each) => append(list, each)) };
  const items = list.is === "list" ? list.items : [value];
  return { is: "list", items: [...items, ...(more.is === "list" ? more.items : [value])] };
}

export function fieldOf(state: State, whole: Value, name: string): Value {
  if (whole.is === "object") return whole.fields.get(name)?.() ?? nothing;
  if (whole.is === "choice")
    return { ...whole, options: whole.options.map((each) => fieldOf(state, each, name)) };
  if (whole.is === "value" && whole.type !== undefined) {
    return { is: "value", type: memberType(state.project, whole.type, name) };
  }
  return value;
}

export function itemAt(whole: Value, index: number): Value {
  if (whole.is === "choice") return { ...whole, options: whole.options.map((each) => itemAt(each, index)) };
  return whole.is === "list" ? (whole.items[index] ?? nothing) : value;
}
