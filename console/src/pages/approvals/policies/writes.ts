import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import type { ChangedPolicy, Counts, NewPolicy, PolicyStatus, Result } from "./queries.ts";

const pathOf = (id: string) => ({ path: { id } });

export interface StatusChange {
  status: PolicyStatus;
  reason: string;
  graceUntil?: string;
}

export const setPolicyStatus = (id: string, change: StatusChange) =>
  call(
    api.governance.POST("/v1/computational-governance/policies/{id}/status", {
      params: pathOf(id),
      body: change,
    }),
  );

export const createPolicy = (body: NewPolicy) =>
  call(api.governance.POST("/v1/computational-governance/policies", { body }));

export const changePolicy = (id: string, body: ChangedPolicy) =>
  call(api.governance.PUT("/v1/computational-governance/policies/{id}", { params: pathOf(id), body }));

export const deletePolicy = async (id: string): Promise<void> => {
  await call(api.governance.DELETE("/v1/computational-governance/policies/{id}", { params: pathOf(id) }));
};

export interface Trial {
  summary: Counts;
  results: Result[];
}

export const testOnDescriptor = async (
  policyId: string,
  { environment, descriptor }: { environment: string; descriptor: string },
): Promise<Trial> => {
  const body = { policyId, environment, descriptor };
  const answer = await call(api.governance.POST("/v1/computational-governance/policies/test", { body }));
  if ("results" in answer) return answer;
  throw new Error("The server started a report instead of testing the descriptor.");
};

/** The id of the report of who would be hit. */
export const tryOnEverything = async (policyId: string, environment: string): Promise<string> => {
  const body = { policyId, environment, everything: true };
  const answer = await call(api.governance.POST("/v1/computational-governance/policies/test", { body }));
  if ("reportId" in answer) return answer.reportId;
  throw new Error("The server answered results instead of a report.");
};

export interface Resource {
  id: string;
  resourceType: string;
  environment: string;
  descriptor: string;
}

/** Of all policies in force; the id of the report. */
export const evaluate = async (resource: Resource): Promise<string> => {
  const answer = await call(api.governance.POST("/v1/computational-governance/evaluate", { body: resource }));
  return answer.reportId;
};
