/** The fields of governance's answers that the command line uses. */
export const base = "/v1/computational-governance";

export interface PolicyRecord extends Record<string, unknown> {
  id: string;
  version: number;
  status: string;
  graceUntil?: string;
  kind: string;
  name: string;
  severity: string;
  engine: string;
  resourceType?: string;
  environments: string[];
  updatedAt: string;
  updatedBy: string;
}

export interface PolicyVersion {
  version: number;
  createdAt: string;
  createdBy: string;
  policy: Record<string, unknown>;
}

export interface EvaluationResult {
  outcome: "ok" | "warning" | "error" | "failed";
  blocking: boolean;
  resource: { id: string; displayName: string; environment: string; resourceType: string };
  result: { value?: number; label?: string; errors: { path?: string; message: string }[] };
  advice?: string;
  exceptionId?: string;
  /** In reports of everything that is deployed. */
  unit?: { id: string; owner: string | null };
}

export type OutcomeCounts = Record<EvaluationResult["outcome"], number>;

export interface TestResults {
  summary: OutcomeCounts;
  results: EvaluationResult[];
}

export interface EvaluationReport {
  id: string;
  status: "pending" | "completed" | "failed";
  summary: OutcomeCounts;
  evaluationResults: EvaluationResult[];
  failure?: string;
}

export interface PolicyException {
  id: string;
  policyId: string;
  resourceIds: string[];
  select?: string;
  environments: string[];
  reason: string;
  until: string;
  status: string;
  requestedBy: string;
  decidedBy?: string;
}
