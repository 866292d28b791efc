/** The statements of the sources, each in the variants that its conditions allow. */
import { createReader } from "./fragments.ts";
import { placeOf, textOf, walk } from "./sources.ts";
import type { Node, Project } from "./sources.ts";
import { holdsSql, type Part, type Value } from "./values.ts";

export interface Statement {
  /** `src/x/store.ts:12` */
  place: string;
  /** What the code says of its rows; null where it says nothing. */
  claim: Node | null;
  /** Texts with `$1`, `$2`, … for what is known only at run time. */
  variants: string[];
}

export interface Unreadable {
  place: string;
  /** The source of what can't be read. */
  text: string;
}

/** A statement is tried in no more variants than this. */
const maxVariants = 24;

export function readStatements(project: Project): { statements: Statement[]; unreadable: Unreadable[] } {
  const reader = createReader(project);
  const statements: Statement[] = [];
  const unreadable = new Map<string, Unreadable>();
  const note = (place: string, text: string): void => {
    unreadable.set(`${place} ${text}`, { place, text: text.replaceAll(/\s+/g, " ").slice(0, 100) });
  };
  const add = (node: Node, value: Value, claimed: Node | null): void => {
    if (value.is === "choice") for (const option of value.options) add(node, option, claimed);
    if (value.is !== "sql" && value.is !== "text") return;
    const unknown: Extract<Part, { is: "unknown" }>[] = [];
    const variants = variantsOf(value.parts, unknown);
    for (const { place, text } of unknown) note(place, text);
    const claim = value.is === "sql" ? (value.claim ?? claimed) : claimed;
    statements.push({ place: placeOf(node), claim, variants });
  };
  const paths = [...project.files.values()]
    .filter(({ text }) => /sql|\.query\b/.test(text))
    .map(({ path }) => path);
  for (const path of paths) {
    for (const node of walk(project.programOf(path))) {
      if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") continue;
      const method: string = node.callee.property.name;
      if (method === "execute") {
        const value = reader.read(node.callee.object);
        if (holdsSql(value)) add(node.callee.object, value, null);
      } else if (method === "query" && node.arguments.length > 0) {
        const text = textOfQuery(reader.read(node.arguments[0]));
        const claim: Node | null = node.typeArguments?.params[0] ?? null;
        if (text === undefined) note(placeOf(node), textOf(node.arguments[0]));
        else add(node, text, claim);
      }
    }
  }
  for (const path of paths)
    for (const node of walk(project.programOf(path)))
      if (node.type === "TaggedTemplateExpression" && node.tag.name === "sql" && !reader.seen.has(node))
        note(placeOf(node), textOf(node));
  return { statements, unreadable: [...unreadable.values()] };
}

/** The text of `query("…")` and `query({text: "…"})`. */
function textOfQuery(argument: Value): Value | undefined {
  if (argument.is === "text") return argument;
  if (argument.is === "object") {
    const text = argument.fields.get("text")?.();
    return text === undefined ? undefined : textOfQuery(text);
  }
  if (argument.is !== "choice") return undefined;
  const options = argument.options.map(textOfQuery).filter((each) => each !== undefined);
  return options.length === argument.options.length ? { ...argument, options } : undefined;
}

/** Which option each condition takes; the first where it is not named. */
type Decisions = ReadonlyMap<string, number>;

/** Every option of every condition once, and all combinations where they are few. */
function variantsOf(parts: readonly Part[], unknown: Extract<Part, { is: "unknown" }>[]): string[] {
  const texts = new Set<string>();
  const tried = new Set<string>();
  const waiting: Decisions[] = [new Map()];
  for (let decisions = waiting.shift(); decisions !== undefined; decisions = waiting.shift()) {
    const rendering = render(parts, decisions);
    unknown.push(...rendering.unknown);
    if (!rendering.isImpossible && rendering.unknown.length === 0) texts.add(rendering.text);
    for (const [key, count] of rendering.choices) {
      for (let option = 1; option < count && !decisions.has(key); option++) {
        const next = new Map(decisions).set(key, option);
        const name = JSON.stringify([...next].toSorted(([a], [b]) => (a < b ? -1 : 1)));
        if (tried.has(name) || tried.size + 1 >= maxVariants) continue;
        tried.add(name);
        waiting.push(next);
      }
    }
  }
  return [...texts];
}

interface Rendering {
  text: string;
  parameters: number;
  /** The conditions that were met, with how many options each has. */
  choices: Map<string, number>;
  unknown: Extract<Part, { is: "unknown" }>[];
  /** A list came out empty: the program's conditions do not allow that. */
  isImpossible: boolean;
}

function render(parts: readonly Part[], decisions: Decisions): Rendering {
  const rendering: Rendering = {
    text: "",
    parameters: 0,
    choices: new Map(),
    unknown: [],
    isImpossible: false,
  };
  renderParts(rendering, parts, decisions);
  return rendering;
}

function renderParts(rendering: Rendering, parts: readonly Part[], decisions: Decisions): void {
  for (const part of parts) {
    if (typeof part === "string") rendering.text += part;
    else if (part.is === "parameter") rendering.text += `$${++rendering.parameters}`;
    else if (part.is === "unknown") rendering.unknown.push(part);
    else if (part.is === "choice")
      renderParts(rendering, decide(rendering, part, decisions) ?? [], decisions);
    else renderJoin(rendering, part, decisions);
  }
}

function renderJoin(rendering: Rendering, part: Extract<Part, { is: "join" }>, decisions: Decisions): void {
  const items = part.items
    .map((item) => (item.options.length === 1 ? item.options[0] : decide(rendering, item, decisions)))
    .filter((item) => item !== null && item !== undefined);
  if (items.length === 0) rendering.isImpossible = true;
  for (const [index, item] of items.entries()) {
    if (index > 0) renderParts(rendering, part.separator, decisions);
    renderParts(rendering, item, decisions);
  }
}

function decide<T>(
  rendering: Rendering,
  choice: { key: string; options: T[] },
  decisions: Decisions,
): T | undefined {
  rendering.choices.set(choice.key, Math.max(rendering.choices.get(choice.key) ?? 0, choice.options.length));
  return choice.options[Math.min(decisions.get(choice.key) ?? 0, choice.options.length - 1)];
}
