import { resolveUnit, type EntitySummary, type ResolvedUnit } from "./checks.ts";

/** The entities of an archive on their way into the worker that puts them together. */
export interface UnitInput {
  /** Lists of summaries as JSON, as other workers wrote them. */
  described: Uint8Array<ArrayBuffer>[];
  /** Summaries of directories that no worker has described. */
  others: EntitySummary[];
  /** Problems and warnings that are listed; of the rest only the number comes back. */
  maxListed: number;
}

/** Resolves the unit in a worker. What comes back is bounded, whatever the archive holds. */
export const resolveSummaries = ({ described, others, maxListed }: UnitInput): ResolvedUnit => {
  const opened = described.flatMap((bytes): EntitySummary[] => {
    const summaries: EntitySummary[] = JSON.parse(new TextDecoder().decode(bytes));
    return summaries;
  });
  const entities = [...opened, ...others].sort((a, b) => (a.directory < b.directory ? -1 : 1));
  const unit = resolveUnit(entities);
  return {
    ...unit,
    problems: unit.problems.slice(0, maxListed),
    warnings: unit.warnings.slice(0, maxListed),
  };
};
