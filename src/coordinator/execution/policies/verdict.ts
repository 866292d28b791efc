/** Pure. The verdict of a plan's policies, as it is stored with the task that evaluated them. */
import { isRecord } from "../../../platform/lib/is-record.ts";
import { idKey } from "../../ids.ts";
import type { PolicyResult, PolicyVerdict } from "../../ports.ts";
import type { Info } from "../types.ts";

export interface StoredVerdict {
  fingerprint: string;
  /** Results of policies that do not hold. */
  results: PolicyResult[];
  /** By the key of a resource, how many policies hold for it. */
  held: Record<string, number>;
  /** Why nothing could be evaluated. */
  unavailable?: string;
}

/** What the policies say about one resource. */
export interface Findings {
  /** What stops the deployment, for people. */
  problems: string[];
  warnings: string[];
  /** What to do about both. */
  solutions: string[];
  held: number;
}

/** Findings of one kind that are stored with a task. */
const maxFindings = 200;

/** Places that one result lists. */
const maxPlaces = 50;

export function storedVerdict({ fingerprint, results }: Omit<PolicyVerdict, "report">): StoredVerdict {
  const held: Record<string, number> = Object.create(null);
  for (const { outcome, resourceId } of results) {
    const key = idKey(resourceId);
    if (outcome === "ok") held[key] = (held[key] ?? 0) + 1;
  }
  return { fingerprint, results: results.filter(({ outcome }) => outcome !== "ok"), held };
}

/** The verdict in the stored info of the task that evaluated, if it is there. */
export function verdictIn(info: Info | null): StoredVerdict | null {
  const verdict = info?.["verdict"];
  return isRecord(verdict) ? (verdict as unknown as StoredVerdict) : null;
}

/** What the policies say about the resources with keys that `isMeant` takes. */
export function findingsOf(verdict: StoredVerdict, isMeant: (key: string) => boolean): Findings {
  const own = verdict.results.filter(({ resourceId }) => isMeant(idKey(resourceId)));
  const isBlocking = ({ blocking }: PolicyResult): boolean => blocking;
  const held = Object.entries(verdict.held).filter(([key]) => isMeant(key));
  return {
    problems: own.filter(isBlocking).flatMap(linesOf).slice(0, maxFindings),
    warnings: own
      .filter((each) => !isBlocking(each))
      .flatMap(linesOf)
      .slice(0, maxFindings),
    solutions: [...new Set(own.map(({ advice }) => advice ?? usualAdvice))].slice(0, maxFindings),
    held: held.reduce((sum, [, count]) => sum + count, 0),
  };
}

const usualAdvice = "Mend what the policy says is wrong, or ask for an exception of the policy.";

function linesOf({ policyId, policyName, policyVersion, outcome, errors }: PolicyResult): string[] {
  const policy = `Policy "${policyName}" (${policyId}, version ${policyVersion})`;
  if (errors.length === 0)
    return [`${policy} ${outcome === "failed" ? "could not be evaluated." : "is violated."}`];
  return errors
    .slice(0, maxPlaces)
    .map(({ path, message }) => `${policy}${path ? ` at ${path}` : ""}: ${message}`);
}

/** What a finding begins with that says that nothing could be evaluated. */
export const unavailableMark = "COORD_POLICIES_UNAVAILABLE";

/** The findings where nothing could be evaluated: they stop a plan unless it may go on. */
export function unavailable(why: string, mayGoOn: boolean): Findings {
  const lines = [`${unavailableMark}: ${why}`];
  const solutions = ["Start again, or resume the plan, when governance can be reached."];
  return {
    problems: mayGoOn ? [] : lines,
    warnings: mayGoOn ? lines : [],
    solutions,
    held: 0,
  };
}

/** The findings as the info of a task; what people may see of it. */
export const findingsInfo = ({ problems, warnings, solutions, held }: Findings): Info => ({
  publicInfo: { policies: { problems, warnings, solutions, held } },
});

/** The findings in the stored info of a task. */
export function findingsIn(info: unknown): Findings {
  const { publicInfo } = isRecord(info) ? info : {};
  const { policies } = isRecord(publicInfo) ? publicInfo : {};
  const found = isRecord(policies) ? policies : {};
  const { problems, warnings, solutions, held } = found;
  return {
    problems: textsOf(problems),
    warnings: textsOf(warnings),
    solutions: textsOf(solutions),
    held: typeof held === "number" ? held : 0,
  };
}

/** The texts of a list; none where it is no list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** The findings as one text: what stops the deployment, else what warns, else how many policies hold. */
export function findingsText({ problems, warnings, held }: Findings): string {
  if (problems.length > 0) return someOf(problems);
  return warnings.length > 0 ? someOf(warnings) : `${heldText(held)}.`;
}

export const heldText = (held: number): string => `${held} ${held === 1 ? "policy holds" : "policies hold"}`;

/** The first of several findings as one text. */
export function someOf(lines: readonly string[]): string {
  const rest = lines.length - maxNamed;
  return [...lines.slice(0, maxNamed), ...(rest > 0 ? [`And ${rest} more.`] : [])].join(" ");
}

const maxNamed = 5;
