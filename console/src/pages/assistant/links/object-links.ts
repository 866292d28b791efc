/** Pure: the things of the platform that a tool call is about, found in its arguments and its result. */

export type ObjectKind =
  | "plan"
  | "unit"
  | "adapter"
  | "instantiation"
  | "template"
  | "entity"
  | "hook"
  | "access"
  | "policy";

export interface ObjectLink {
  kind: ObjectKind;
  id: string;
}

const kinds: Record<string, ObjectKind> = {
  planToken: "plan",
  executionPlanId: "plan",
  deploymentUnitId: "unit",
  adapterId: "adapter",
  templateRef: "template",
  systemRef: "entity",
  entityRef: "entity",
  hookId: "hook",
  accessRequestId: "access",
  policyId: "policy",
};

const member = /"(\w{2,24})"\s*:\s*("(?:[^"\\]|\\.){1,512}")/g;
const maxLinks = 6;
/** Of a long result; the first ids are those that it is about. */
const maxChars = 40_000;

/** Read from the text, since a result that was shortened is no JSON any more. */
export const linksIn = (toolName: string, ...texts: readonly string[]): ObjectLink[] => {
  const found = new Map<string, ObjectLink>();
  for (const text of texts)
    for (const [, name = "", quoted = ""] of text.slice(0, maxChars).matchAll(member)) {
      // Many things have tasks; these tools name the one of a template.
      const kind = name === "taskId" && toolName.includes("instantia") ? "instantiation" : kinds[name];
      const id = kind === undefined ? "" : unquoted(quoted);
      if (kind === undefined || id === "" || found.size >= maxLinks) continue;
      found.set(`${kind} ${id}`, { kind, id });
    }
  return [...found.values()];
};

const unquoted = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return "";
  }
};

const unitId = /^urn:dmb:dp:[\w.-]+:[\w.-]+:\d+$/;
const entityRef = /^(template|system|component|api|resource|domain|group|user):[\w.-]+\/[\w.-]+$/;

/** What an id in an answer links to: one that a call of its run had, or one whose form says what it is. */
export const linkOfId = (id: string, known: readonly ObjectLink[]): ObjectLink | null => {
  const found = known.find((link) => link.id === id);
  if (found !== undefined) return found;
  if (unitId.test(id)) return { kind: "unit", id };
  const [, kind] = entityRef.exec(id) ?? [];
  if (kind === undefined) return null;
  return { kind: kind === "template" ? "template" : "entity", id };
};
