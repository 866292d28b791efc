import { Failure, statusOfKind, type FailureDetails, type FailureKind } from "./failure.ts";

const kinds = new Map<number, FailureKind>([
  ...Object.entries(statusOfKind).map(([kind, status]) => [status, kind as FailureKind] as const),
  // The assistant's status of invalid input.
  [422, "invalid"],
]);

export interface CodedDetails extends Omit<FailureDetails, "kind" | "code" | "input"> {
  /** The input that the message is about; it becomes the one problem of the Failure, with its own solution. */
  where?: string;
  solution?: string | undefined;
  input?: string | undefined;
}

/** The function that makes the failures of a table of codes; the kind follows from the status. */
export const failuresOf =
  <Code extends string>(
    errors: Readonly<Record<Code, { status: number; solution: string }>>,
    /** Whether each Failure has the solution of its code, whatever solutions its problems have. */
    { hasSolution = true }: { hasSolution?: boolean } = {},
  ) =>
  (code: Code, { where, solution, input, ...details }: CodedDetails): Failure => {
    const { message, problems = [] } = details;
    const problem = { message, ...(solution === undefined ? {} : { solution }) };
    return new Failure({
      kind: kinds.get(errors[code].status) ?? "internal",
      code,
      ...(hasSolution ? { solutions: [errors[code].solution] } : {}),
      // Without a problem of its own the solution is the failure's.
      ...(where === undefined && solution !== undefined ? { solutions: [solution] } : {}),
      ...details,
      problems: where === undefined ? problems : [{ where, ...problem }],
      ...(input === undefined ? {} : { input }),
    });
  };
