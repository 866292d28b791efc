import type { Path } from "../source/located.ts";

interface Remark {
  message: string;
  solution?: string;
}

/** Where a rule writes what it finds; the path is turned into a place of the file by whoever made the report. */
export interface Report {
  problem(path: Path, remark: Remark): void;
  warning(path: Path, remark: Remark): void;
}
