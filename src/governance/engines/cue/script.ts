/**
 * Scripts in CUE: the resource is unified with the script, and everything must become concrete. Runs in a thread of its own; the
 * library knows no limits, and finds one problem at a time.
 */
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { EngineInput, EngineOutcome, SpecProblem } from "../engine.ts";
import { cappedErrors } from "../limits.ts";

export interface Cue {
  /** The value as JSON; throws an Error that says what is wrong. */
  toJSON(text: string): string;
}

/** Texts and comments of a script, in which nothing is rewritten. */
const quotedOr = String.raw`"""[^]*?"""|'''[^]*?'''|#+"[^]*?"#+|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*`;
const requiredField = new RegExp(String.raw`(${quotedOr})(?:!(?=\s*:))?|(?<=[\w$\]])!(?=\s*:)`, "g");

/** `name!:` is newer than the library; where every value must be concrete `name:` means the same. */
export const withoutRequired = (script: string): string =>
  script.replaceAll(requiredField, (_whole, quoted: string | undefined) => quoted ?? "");

const keywords = new Set(["package", "import", "for", "in", "if", "let", "true", "false", "null"]);
const isIdentifier = (name: string): boolean => /^[A-Za-z$][\w$]*$/.test(name) && !keywords.has(name);

const fieldText = (name: string, value: unknown): string =>
  `${isIdentifier(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value ?? null)}`;

/** What the script is unified with: the fields of the resource, or `original` and `current`. Hidden fields tell the rest. */
function factsOf({ resource, original, current, unit, ...input }: EngineInput): string {
  const compared = original === undefined && current === undefined ? null : { original, current };
  const fields = compared ?? (isRecord(resource) ? resource : { resource });
  return [
    ...Object.entries(fields).map(([name, value]) => fieldText(name, value)),
    ...(unit === undefined ? [] : [`_unit: ${JSON.stringify(unit)}`]),
    ...Object.entries({
      environment: input.environment,
      resourceType: input.resourceType,
      resourceId: input.resourceId,
    }).map(([name, value]) => `_${name}: ${JSON.stringify(value)}`),
  ].join("\n");
}

const placeholders = ["original", "current", "_unit", "_environment", "_resourceType", "_resourceId"]
  .map((name) => `${name}: _`)
  .join("\n");

/** Lines of a script in which the place of a problem is looked for. */
const maxLines = 2_000;

/** What the library can't read, with its line. That values are missing is no problem: the resource brings them. */
export function checkScript(cue: Cue, script: string): SpecProblem[] {
  const readable = withoutRequired(script);
  const message = problemOf(cue, readable);
  if (message === null) return [];
  const lines = readable.split("\n");
  let line = lines.length;
  // The library tells no place: it is the first line with which the problem is there.
  for (let count = 1; count <= Math.min(lines.length, maxLines); count += 1) {
    if (problemOf(cue, lines.slice(0, count).join("\n")) !== message) continue;
    line = count;
    break;
  }
  return [
    {
      path: "spec.script",
      message: `The script can't be evaluated: ${message}.`,
      line,
      column: 1,
      solution:
        "Correct the script at that line. Fields of the resource that it refers to have to be declared, as in kind: _.",
    },
  ];
}

function problemOf(cue: Cue, script: string): string | null {
  try {
    cue.toJSON(withImportsFirst(placeholders, script));
    return null;
  } catch (error) {
    const message = messageOf(error);
    return isIncomplete(message) ? null : message;
  }
}

/** Imports and the package stand before everything else. */
function withImportsFirst(facts: string, script: string): string {
  const head =
    /^(?:\s*(?:\/\/[^\n]*\n|package\s+\w+\s*\n|import\s*(?:\([^)]*\)|(?:\w+\s+)?"[^"\n]*")\s*(?:\n|$)))+/.exec(
      script,
    )?.[0];
  return head === undefined ? `${facts}\n${script}` : `${head}\n${facts}\n${script.slice(head.length)}`;
}

const messageOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^cue: marshal error: /, "").trim();
};

const isIncomplete = (message: string): boolean =>
  /incomplete value|cannot convert non-concrete/.test(message);
/** The script itself is wrong, whatever the resource. */
const isScriptFault = (message: string): boolean =>
  /reference "[^"]*" not found|^expected |structural cycle|undefined field|imported and not used/.test(
    message,
  );

export function evaluateScript(
  cue: Cue,
  { kind, input, script }: { kind: "policy" | "metric"; input: EngineInput; script: string },
): EngineOutcome {
  try {
    const made = JSON.parse(cue.toJSON(withImportsFirst(factsOf(input), withoutRequired(script)))) as {
      metric?: unknown;
    };
    if (kind === "policy") return { ok: true, satisfied: true, errors: [] };
    const { metric } = made;
    return typeof metric === "number"
      ? { ok: true, value: metric, errors: [] }
      : broken("The script has no field metric that is a number.");
  } catch (error) {
    const message = messageOf(error);
    if (kind === "metric" || isScriptFault(message)) return broken(`The script failed: ${message}.`);
    return { ok: true, satisfied: false, errors: cappedErrors([violationOf(message)]) };
  }
}

const broken = (message: string): EngineOutcome => ({ ok: false, reason: "broken", message });

/** The library's message begins with the path. */
function violationOf(message: string): { path?: string; message: string } {
  const [, path, rest] = /^((?:[\w$#-]+|"[^"]*")(?:\.(?:[\w$#-]+|"[^"]*"))*): ([^]*)$/.exec(message) ?? [];
  if (path === undefined || rest === undefined) return { message };
  return { path, message: isIncomplete(rest) ? `It is missing, or incomplete: ${rest}` : rest };
}
