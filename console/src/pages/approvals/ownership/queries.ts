import { queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

type Schemas = GovernanceComponents["schemas"];
export type Rules = Schemas["OwnershipRules"];
export type Rule = Rules["rules"][number];
type NewRule = Schemas["ChangedOwnershipRules"]["rules"][number];

export const operations = ["start", "undeploy", "removeData", "rollBack", "resume"] as const;
export type Operation = (typeof operations)[number];
export const effects = ["allow", "approval", "deny"] as const;

export const rulesQuery = queryOptions({
  queryKey: [...keys.ownership, "rules"],
  queryFn: ({ signal }) =>
    call(api.governance.GET("/v1/computational-governance/ownership-rules", { signal })),
});

export const putRules = (version: number, rules: readonly Rule[]) =>
  call(
    api.governance.PUT("/v1/computational-governance/ownership-rules", {
      body: { version, rules: rules as NewRule[] },
    }),
  );

export interface Question {
  unit: string;
  environment: string;
  operation: Operation;
}

export const whoMayQuery = ({ unit, environment, operation }: Question) =>
  queryOptions({
    queryKey: [...keys.ownership, "who-may", unit, environment, operation],
    enabled: unit !== "" && environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/units/{id}/who-may", {
          params: { path: { id: unit }, query: { environment, operation: [operation] } },
          signal,
        }),
      ),
  });
