/** The behaviour of the mock for a component: its defaults, and the parser of requested behaviour. */
import type { Problem } from "../../platform/errors/failure.ts";
import type { OddName } from "./odd-answers.ts";
import { isOddName, oddNames } from "./odd-answers.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export type JsonObject = Record<string, unknown>;
export type Operation = "provision" | "unprovision" | "updateacl" | "reverse-provisioning" | "validate";
export type Phase = "validate" | "start" | "poll" | "terminate";

export interface Behaviour {
  /** sync answers a start with the final status, async with 202 and a token. */
  mode: "sync" | "async";
  /** Between a start (or validation) and its answer. */
  delayMs: number;
  /** Polls that are answered RUNNING before the final status. */
  runningPolls: number;
  /** RUNNING for at least this long after the start. */
  runningMs: number;
  outcome: "COMPLETED" | "FAILED" | "TERMINATED";
  result: string | null;
  info: JsonObject | null;
  updates: unknown;
  /** Log lines for each poll passed. growing: all so far; new: only the new; repeated: the same ones each time. */
  logs: { lines: number; style: "growing" | "new" | "repeated" };
  /** DELETE of the token: 200 TERMINATED, 202 then TERMINATING, 501, 500, or 202 and never TERMINATED. */
  terminate: "final" | "accepted" | "unsupported" | "error" | "never";
  /** Polls answered TERMINATING after an accepted termination. */
  terminatingPolls: number;
  /** Not empty: validation finds these. */
  validationErrors: string[];
  /** Where the verdict of /v2/validate stands. */
  verdictIn: "result" | "publicInfo";
  /** Malformed answers, for the first `times` calls of that phase of this component and operation. */
  odd: Partial<Record<Phase, { name: OddName; times: number }>>;
}

/** The behaviour that a component's descriptor requests: for all operations, and for single ones. */
export interface RequestedBehaviour extends Partial<Behaviour> {
  operations?: Partial<Record<Operation, Partial<Behaviour>>>;
}

const defaultBehaviour: Behaviour = {
  mode: "sync",
  delayMs: 0,
  runningPolls: 1,
  runningMs: 0,
  outcome: "COMPLETED",
  result: null,
  info: null,
  updates: null,
  logs: { lines: 1, style: "growing" },
  terminate: "final",
  terminatingPolls: 1,
  validationErrors: [],
  verdictIn: "result",
  odd: {},
};

/**
 * Later requests override earlier ones, and within one the operation's own values override the general ones.
 */
export function resolveBehaviour(
  operation: Operation,
  allRequested: (RequestedBehaviour | undefined)[],
): Behaviour {
  const behaviour = { ...defaultBehaviour };
  for (const requested of allRequested) {
    if (requested === undefined) continue;
    const { operations, ...all } = requested;
    Object.assign(behaviour, all, operations?.[operation]);
  }
  return behaviour;
}

const operations = new Set(["provision", "unprovision", "updateacl", "reverse-provisioning", "validate"]);
const phases = new Set(["validate", "start", "poll", "terminate"]);

type Check = (value: unknown) => string | null;
const oneOf =
  (...names: string[]): Check =>
  (value) =>
    typeof value === "string" && names.includes(value) ? null : `must be one of ${names.join(", ")}`;
const count: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? null : "must be a whole number from 0";
const text: Check = (value) => (value === null || typeof value === "string" ? null : "must be a string");
const object: Check = (value) => (value === null || isRecord(value) ? null : "must be an object");
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string")
    ? null
    : "must be a list of strings";

const checks: Record<string, Check> = {
  mode: oneOf("sync", "async"),
  delayMs: count,
  runningPolls: count,
  runningMs: count,
  outcome: oneOf("COMPLETED", "FAILED", "TERMINATED"),
  result: text,
  info: object,
  updates: () => null,
  logs: (value) =>
    isRecord(value) && count(value["lines"] ?? 0) === null && logStyle(value["style"] ?? "growing") === null
      ? null
      : "must be {lines, style: growing | new | repeated}",
  terminate: oneOf("final", "accepted", "unsupported", "error", "never"),
  terminatingPolls: count,
  validationErrors: texts,
  verdictIn: oneOf("result", "publicInfo"),
  odd: (value) => oddProblem(value),
  fail: (value) =>
    value === "status" || isOddName(String(value))
      ? null
      : `must be status or one of ${oddNames().join(", ")}`,
};
const logStyle = oneOf("growing", "new", "repeated");

/**
 * Parses requested behaviour from `specific.mock` or PUT /_mock/behaviours, and reports every wrong member.
 * `fail: status` is short for `outcome: FAILED`, `fail: <odd answer>` for that answer to every start, `odd:
 * <odd answer>` likewise.
 */
export function readRequested(
  value: unknown,
  where: string,
): { requested: RequestedBehaviour; problems: Problem[] } {
  if (!isRecord(value)) return { requested: {}, problems: [{ where, message: "must be an object" }] };
  const problems: Problem[] = [];
  const requested: RequestedBehaviour = readPart(value, where, problems);
  const nested = value["operations"];
  if (nested === undefined) return { requested, problems };
  if (!isRecord(nested)) problems.push({ where: `${where}/operations`, message: "must be an object" });
  else {
    const parts = Object.entries(nested).map(([name, part]) => {
      const at = `${where}/operations/${name}`;
      if (!operations.has(name)) problems.push({ where: at, message: "is not an operation" });
      if (!isRecord(part)) problems.push({ where: at, message: "must be an object" });
      return [name, isRecord(part) ? readPart(part, at, problems) : {}];
    });
    requested.operations = Object.fromEntries(parts);
  }
  return { requested, problems };
}

function readPart(value: JsonObject, where: string, problems: Problem[]): Partial<Behaviour> {
  const known: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === "operations") continue;
    const check = checks[name];
    const message = check === undefined ? "is not a behaviour of the mock" : check(member);
    if (message !== null) problems.push({ where: `${where}/${name}`, message });
    else known[name] = member;
  }
  const { fail, odd, logs, ...part } = known;
  const requested: Partial<Behaviour> = part;
  if (isRecord(logs)) requested.logs = { ...defaultBehaviour.logs, ...logs };
  if (odd !== undefined || (fail !== undefined && fail !== "status")) {
    requested.odd = { ...oddOf(fail === "status" ? undefined : fail), ...oddOf(odd) };
  }
  if (fail === "status") requested.outcome = "FAILED";
  return requested;
}

function oddProblem(value: unknown): string | null {
  const names = `one of ${oddNames().join(", ")}`;
  if (!isRecord(value)) return isOddName(String(value)) ? null : `must be ${names}`;
  for (const [phase, each] of Object.entries(value)) {
    if (!phases.has(phase)) return `has the unknown phase ${phase}; there are ${[...phases].join(", ")}`;
    const name = isRecord(each) ? each["name"] : each;
    if (!isOddName(String(name))) return `of ${phase} must be ${names}`;
    if (isRecord(each) && each["times"] !== undefined && count(each["times"]) !== null) {
      return `of ${phase} must have a whole number as times`;
    }
  }
  return null;
}

function oddOf(value: unknown): Behaviour["odd"] {
  if (value === undefined) return {};
  const entries = Object.entries(isRecord(value) ? value : { start: value }).map(([phase, each]) => {
    const times =
      isRecord(each) && typeof each["times"] === "number" ? each["times"] : Number.MAX_SAFE_INTEGER;
    return [phase, { name: String(isRecord(each) ? each["name"] : each), times }];
  });
  return Object.fromEntries(entries);
}
