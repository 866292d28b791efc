import { Code, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useHasRole } from "../../../../api/session.ts";
import { PageLink } from "../../../../parts/page/page-link.tsx";
import type { NextPage } from "../../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../../parts/values/status.tsx";
import { TimeAgo } from "../../../../parts/values/times.tsx";
import { shortName } from "../../parts/names.ts";
import { Person } from "../../parts/people.tsx";
import { outcomes, type Counts, type Report } from "../queries.ts";

type Result = Omit<Report["evaluationResults"][number], "unit"> & {
  unit?: { id: string; owner: string | null };
};

export interface ResultsTableProps {
  label: string;
  results: readonly Result[];
  /** Results of one policy do not name it. */
  policyId?: string;
  next?: NextPage;
}

export const ResultsTable = ({ label, results, policyId, next }: ResultsTableProps): ReactNode => {
  const mayAsk = useHasRole("developer", "operator", "admin");
  return (
    <VirtualTable
      label={label}
      columns={[
        ...(policyId === undefined ? [policyColumn] : []),
        ...columns,
        ...(mayAsk ? [exceptionColumn] : []),
      ]}
      rows={results}
      rowKey={(result) =>
        `${result.governanceEntityId} ${result.resource.environment} ${result.resource.id} ${result.creationTime}`
      }
      {...(next !== undefined && { next })}
    />
  );
};

export const Summary = ({ counts }: { counts: Counts }): ReactNode => (
  <Group gap="md" mb="sm">
    {outcomes.map((outcome) => (
      <Text key={outcome} size="sm" component="span">
        <StatusBadge status={outcome} /> {counts[outcome]}
      </Text>
    ))}
  </Group>
);

const policyColumn: Column<Result> = {
  key: "policy",
  header: "Policy",
  width: "minmax(0, 1.3fr)",
  wrap: true,
  cell: ({ governanceEntityId, governanceEntityName }) => (
    <PageLink to="/policies/$policyId" params={{ policyId: governanceEntityId }}>
      {governanceEntityName}
    </PageLink>
  ),
};

const columns: readonly Column<Result>[] = [
  {
    key: "resource",
    header: "Resource",
    width: "minmax(0, 1.3fr)",
    wrap: true,
    cell: ({ resource, unit }) => (
      <>
        <span title={resource.id}>{shortName(resource.id)}</span>
        {unit !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            <PageLink to="/units/$unitId" params={{ unitId: unit.id }} size="xs">
              {shortName(unit.id)}
            </PageLink>
            {unit.owner !== null && (
              <>
                {" "}
                of <Person of={unit.owner} />
              </>
            )}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "7rem",
    cell: ({ outcome }) => <StatusBadge status={outcome} />,
  },
  {
    key: "why",
    header: "Why, and what to do",
    width: "minmax(0, 3fr)",
    wrap: true,
    cell: (result) => <Why result={result} />,
  },
  {
    key: "version",
    header: "Version",
    width: "4.5rem",
    cell: ({ governanceEntityVersion }) => governanceEntityVersion,
  },
  { key: "at", header: "When", width: "6rem", cell: ({ creationTime }) => <TimeAgo at={creationTime} /> },
];

const exceptionColumn: Column<Result> = {
  key: "exception",
  header: "Exception",
  width: "6rem",
  cell: ({ outcome, exceptionId, governanceEntityId, resource }) =>
    exceptionId === undefined && outcome !== "ok" ? (
      <PageLink
        to="/exceptions"
        search={{ ask: true, policy: governanceEntityId, resource: resource.id }}
        aria-label={`Request an exception for ${shortName(resource.id)}`}
      >
        Request
      </PageLink>
    ) : (
      "–"
    ),
};

const Why = ({ result }: { result: Result }): ReactNode => {
  const { result: details, advice, blocking, exceptionId, outcome } = result;
  const value =
    details.value === undefined ? [] : [`${details.value}${details.label ? `: ${details.label}` : ""}`];
  return (
    <>
      {value}
      {details.errors.map(({ path, message }) => (
        <div key={`${path ?? ""} ${message}`}>
          {path !== undefined && path !== "" && <Code>{path}</Code>} {message}
        </div>
      ))}
      {outcome !== "ok" && advice !== undefined && <div>What to do: {advice}</div>}
      {exceptionId !== undefined && <div>Excused by an exception.</div>}
      {blocking && <div>It stops a deployment.</div>}
      {value.length === 0 && details.errors.length === 0 && outcome === "ok" && "–"}
    </>
  );
};
