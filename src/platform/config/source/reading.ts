import type { ConfigProblems } from "./problems.ts";

/** Limits of reading; a configuration is small, and one that is not is a mistake. */
export const readLimits = {
  fileBytes: 262_144,
  secretFileBytes: 65_536,
  files: 50,
  includeDepth: 10,
  nodes: 50_000,
  depth: 50,
} as const;

export type EnvironmentVariables = Record<string, string | undefined>;

/** What is shared by all files of one load. */
export interface Reading {
  cwd: string;
  env: EnvironmentVariables;
  problems: ConfigProblems;
  filesRead: number;
  nodesRead: number;
}
