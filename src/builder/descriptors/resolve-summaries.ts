import { resolveUnit, type EntitySummary, type ResolvedUnit } from "./checks.ts";

/** The entities of an archive, as input of the worker that resolves the unit. */
export interface UnitInput {
  /** Lists of summaries as JSON, as other workers wrote them. */
  described: Uint8Array<ArrayBuffer>[];
  /** Summaries of directories that no worker has described. */
  others: EntitySummary[];
  /** Maximum number of problems and warnings that are listed; the total number is returned too. */
  maxListed: number;
}

/** Resolves the unit in a worker. The size of the result is limited for any archive. */
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
