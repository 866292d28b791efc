import { Failure, statusOfKind, type FailureDetails, type FailureKind } from "./failure.ts";

const kindOfStatus = new Map<number, FailureKind>([
  ...Object.entries(statusOfKind).map(([kind, status]) => [status, kind as FailureKind] as const),
  // The assistant's status of invalid input.
  [422, "invalid"],
]);

/** The function that makes the failures of a table of codes: kind and solution follow from the code. */
export const failuresOf =
  <Code extends string>(errors: Readonly<Record<Code, { status: number; solution: string }>>) =>
  (code: Code, details: Omit<FailureDetails, "kind" | "code">): Failure => {
    const { status, solution } = errors[code];
    return new Failure({
      kind: kindOfStatus.get(status) ?? "internal",
      code,
      solutions: [solution],
      ...details,
    });
  };
