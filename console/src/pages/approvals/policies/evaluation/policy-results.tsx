import { Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useEnvironment } from "../../../../api/environments.ts";
import { EmptyView, Loaded } from "../../../../parts/states/views.tsx";
import { wordsOf } from "../../../../parts/values/text.ts";
import { useNextPage } from "../../../../parts/tables/next-page.ts";
import { outcomes, resultsQuery, type Policy } from "../queries.ts";
import { ResultsTable } from "./results-table.tsx";

const route = getRouteApi("/policies/$policyId");

/** What the policy said of what, the latest first. */
export const PolicyResults = ({ policy }: { policy: Policy }): ReactNode => {
  const { outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const query = useInfiniteQuery(resultsQuery({ policy: policy.id, environment, outcome }));
  const next = useNextPage(query);
  return (
    <>
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        clearable
        data={outcomes.map((value) => ({ value, label: wordsOf(value) }))}
        value={outcome ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, outcome: value ?? undefined }) })
        }
        w="11rem"
        mb="sm"
      />
      <Loaded query={query} what="list the results">
        {({ pages }) => {
          const results = pages.flatMap(({ data }) => data);
          return results.length === 0 ? (
            <EmptyView title={`It has no ${outcome ?? ""} results in ${environment}`} icon="shield">
              {policy.status === "draft" && "A draft is not evaluated: try it on everything first."}
            </EmptyView>
          ) : (
            <ResultsTable label="Results" results={results} policyId={policy.id} next={next} />
          );
        }}
      </Loaded>
    </>
  );
};
