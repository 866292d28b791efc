/** Pure: checks the lines of an export by their hashes alone. */
import { createHash } from "node:crypto";
import { isRecord } from "../../platform/lib/is-record.ts";
import { rfc8785 } from "../../platform/lib/rfc8785.ts";

export interface Problem {
  kind: string;
  seq: number | null;
  id: number | null;
  message: string;
}

export interface Findings {
  chain: string;
  /** Rows that were compared with their hashes. */
  checked: number;
  /** Rows that have none yet. */
  open: number;
  /** The last place and its hash. */
  end: string | null;
  problems: Problem[];
  /** Of all, also those that are not in the list. */
  problemCount: number;
}

export interface LineCheck {
  /** False for what is no line of an export. */
  take(line: string): boolean;
  findings(): Findings[];
}

interface Place {
  seq: number;
  hash: string;
}

/**
 * Lines of a chain come in its order. Where places are missing between two lines, the export was filtered, or lines were taken
 * out: it says so.
 */
export function createLineCheck(maxProblems: number): LineCheck {
  const chains = new Map<string, Findings & { last: Place | null }>();
  const add = (found: Findings, problem: Problem): void => {
    found.problemCount += 1;
    if (found.problems.length < maxProblems) found.problems.push(problem);
  };
  return {
    take(line) {
      const parsed = parse(line);
      if (parsed === null) return false;
      const { chain, record } = parsed;
      const fresh = { chain, checked: 0, open: 0, end: null, problems: [], problemCount: 0, last: null };
      const found = chains.get(chain) ?? fresh;
      chains.set(chain, found);
      const { hash, ...hashed } = record;
      const { seq, previousHash } = record;
      if (typeof seq !== "number" || typeof hash !== "string") {
        found.open += 1;
        return true;
      }
      const id = typeof record["id"] === "number" ? record["id"] : null;
      found.checked += 1;
      if (createHash("sha256").update(rfc8785(hashed)).digest("hex") !== hash)
        add(found, { kind: "CHANGED", seq, id, message: "The line is not what was sealed." });
      const { last } = found;
      if (last !== null && seq !== last.seq + 1)
        add(found, {
          kind: "GAP",
          seq: last.seq + 1,
          id: null,
          message: "Lines are missing before the next one.",
        });
      else if (last !== null && previousHash !== last.hash)
        add(found, { kind: "CHANGED", seq, id, message: "The line does not follow the one before it." });
      found.last = { seq, hash };
      found.end = `${seq}:${hash}`;
      return true;
    },
    findings: () => [...chains.values()].map(({ last: _last, ...found }) => found),
  };
}

function parse(line: string): { chain: string; record: Record<string, unknown> } | null {
  try {
    const record: unknown = JSON.parse(line);
    const chain = isRecord(record) ? record["chain"] : undefined;
    return isRecord(record) && typeof chain === "string" ? { chain, record } : null;
  } catch {
    return null;
  }
}
