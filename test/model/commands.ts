/** The commands of a sequence, as data: drawn by fast-check, printed as they are, and run again from that. */
import fc from "fast-check";
import { behaviours, parts, type Behaviour, type Part, type StartRequest } from "./reference.ts";

/** `unit`, `api` and `worker` are 0 or 1. */
export type Command =
  | { do: "start"; unit: number; api: number; worker: number; request: StartRequest; key: boolean }
  | { do: "repeat"; unit: number; api: number }
  | { do: "preview"; unit: number; api: number; request: StartRequest; autofill: boolean }
  | { do: "terminate"; unit: number; api: number; mode: "safe" | "forced"; by: "unit" | "plan" | "old plan" }
  | { do: "setBehaviour"; part: Part; unit: number; behaviour: Behaviour }
  | { do: "adapter"; api: number; enabled: boolean }
  | { do: "access"; unit: number; api: number; worker: number; part: Part }
  | { do: "look"; unit: number; api: number }
  | { do: "wait"; unit: number }
  | { do: "kill"; worker: number };

const either = fc.nat(1);
const target = fc.constantFrom("DEPLOYED", "DEPLOYED", "DEPLOYED", "NOT_DEPLOYED", null);
const rarely = fc.nat(9).map((n) => n === 0);
const version = fc.constantFrom(1, 1, 2);

const all = (status: "DEPLOYED" | "NOT_DEPLOYED") =>
  fc.constant({ a: status, b: status, c: status } as const);

const request: fc.Arbitrary<StartRequest> = fc.record({
  versions: fc.record({ a: version, b: version, c: version }),
  dropsC: rarely,
  targets: fc.oneof(
    { weight: 4, arbitrary: all("DEPLOYED") },
    { weight: 2, arbitrary: all("NOT_DEPLOYED") },
    { weight: 3, arbitrary: fc.record({ a: target, b: target, c: target }) },
  ),
  mode: fc.constantFrom("strict", "strict", "unsafe"),
  preventRedeploy: fc.boolean(),
  removeData: rarely,
});

const behaviourNames = Object.keys(behaviours) as Behaviour[];

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("start"),
      unit: either,
      api: either,
      worker: either,
      request,
      key: rarely,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat"), unit: either, api: either }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("preview"),
      unit: either,
      api: either,
      request,
      autofill: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("terminate"),
      unit: either,
      api: either,
      mode: fc.constantFrom("safe", "forced"),
      by: fc.constantFrom("unit", "plan", "plan", "old plan"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("setBehaviour"),
      unit: either,
      part: fc.constantFrom(...parts),
      behaviour: fc.constantFrom<Behaviour[]>("done", "done", "done", "async", ...behaviourNames),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("adapter"),
      api: either,
      enabled: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("access"),
      unit: either,
      api: either,
      worker: either,
      part: fc.constantFrom(...parts),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("look"), unit: either, api: either }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("wait"), unit: either }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("kill"), worker: either }) },
);

/** The commands of a seed; always the same ones. */
export const drawSequence = (seed: number, length: number): Command[] =>
  fc.sample(command, { numRuns: length, seed });
