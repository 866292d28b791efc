import type { Path } from "../source/located.ts";

interface Remark {
  message: string;
  solution?: string;
}

/** Where a rule writes its findings; its creator turns the path into a place of the file. */
export interface Report {
  problem(path: Path, remark: Remark): void;
  warning(path: Path, remark: Remark): void;
}
