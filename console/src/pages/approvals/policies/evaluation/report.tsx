import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyView, Loaded, LoadingView } from "../../../../parts/states/views.tsx";
import { TimeAgo } from "../../../../parts/values/times.tsx";
import { reportQuery } from "../queries.ts";
import { ResultsTable, Summary } from "./results-table.tsx";

/** A report as soon as it is completed. */
export const ReportView = ({ reportId, policyId }: { reportId: string; policyId?: string }): ReactNode => (
  <Loaded query={useQuery(reportQuery(reportId))} what="read the report">
    {({ status, failure, summary, evaluationResults, environment, endedAt }) => {
      if (status === "pending")
        return (
          <>
            <Text size="sm" role="status" mb="xs">
              Evaluating in {environment} …
            </Text>
            <LoadingView />
          </>
        );
      if (status === "failed")
        return (
          <Alert color="bad" title="The report could not be completed">
            {failure ?? "The server gives no reason."}
          </Alert>
        );
      return (
        <>
          <Text size="sm" c="dimmed" mb="xs" role="status">
            In {environment}, <TimeAgo at={endedAt} />
          </Text>
          <Summary counts={summary} />
          {evaluationResults.length === 0 ? (
            <EmptyView title="Nothing is against it" icon="check" />
          ) : (
            <ResultsTable
              label="Report"
              results={evaluationResults}
              {...(policyId !== undefined && { policyId })}
            />
          )}
        </>
      );
    }}
  </Loaded>
);
