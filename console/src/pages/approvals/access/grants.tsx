import { Alert, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { grantsQuery, type Grant } from "../../../api/grants.ts";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortName } from "../parts/names.ts";
import { Person } from "../parts/people.tsx";
import { UnitPicker } from "./unit-picker.tsx";

const route = getRouteApi("/access");

/** Who has access to the ports of a unit, since when, and by which request. */
export const Grants = (): ReactNode => {
  const { unit = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  return (
    <>
      <div style={{ maxWidth: "24rem", marginBottom: "var(--mantine-spacing-sm)" }}>
        <UnitPicker
          label={`Unit in ${environment}`}
          environment={environment}
          value={unit}
          onChange={(unitId) => void navigate({ search: (previous) => ({ ...previous, unit: unitId }) })}
        />
      </div>
      {unit === "" ? (
        <EmptyView title="Choose a unit" icon="units">
          Access belongs to output ports, so it is listed by unit.
        </EmptyView>
      ) : (
        <GrantsOf unitId={unit} environment={environment} />
      )}
    </>
  );
};

const GrantsOf = ({ unitId, environment }: { unitId: string; environment: string }): ReactNode => {
  const query = useInfiniteQuery(grantsQuery(unitId, environment));
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="list who has access">
      {({ pages }) => {
        const grants = pages.flatMap(({ data }) => data);
        const isOwn = pages[0]?.meta.visible === "OWN";
        return (
          <>
            {isOwn && (
              <Alert color="gray" mb="sm">
                <Text size="sm">
                  You see what you and your groups have. Operators and the owners of the unit see everybody.
                </Text>
              </Alert>
            )}
            {grants.length === 0 ? (
              <EmptyView
                title={`${isOwn ? "You have no" : "Nobody has"} access to ${shortName(unitId)} in ${environment}`}
                icon="key"
              />
            ) : (
              <VirtualTable
                label="Who has access"
                columns={columns(unitId)}
                rows={grants}
                rowKey={({ outputPortUrn, identity }) => `${outputPortUrn} ${identity}`}
                next={next}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
};

const columns = (unitId: string): readonly Column<Grant>[] => [
  {
    key: "who",
    header: "Who",
    width: "minmax(0, 1.5fr)",
    cell: ({ identity }) => <Person of={identity} />,
  },
  {
    key: "port",
    header: "Output port",
    width: "minmax(0, 1.5fr)",
    cell: ({ outputPortName, outputPortUrn }) => (
      <span title={outputPortUrn}>{outputPortName ?? shortName(outputPortUrn)}</span>
    ),
  },
  { key: "since", header: "Since", width: "6.5rem", cell: ({ grantedAt }) => <TimeAgo at={grantedAt} /> },
  {
    key: "by",
    header: "By",
    width: "minmax(0, 1.2fr)",
    cell: ({ request }) => <GrantedBy request={request} />,
  },
  {
    key: "take",
    header: "Change",
    width: "6.5rem",
    cell: ({ outputPortUrn, identity }) => (
      <PageLink
        to="/access"
        search={{ ask: "REVOKE", unit: unitId, port: outputPortUrn, identity }}
        aria-label={`Take away from ${identity}`}
      >
        Take away
      </PageLink>
    ),
  },
];

const GrantedBy = ({ request }: { request: Grant["request"] }): ReactNode => {
  if (request === null) return "–";
  const { accessRequestId, executionPlanId, requestedBy } = request;
  return accessRequestId === null ? (
    <PageLink to="/plans/$planId" params={{ planId: executionPlanId }}>
      a program, plan {executionPlanId.slice(0, 8)}
    </PageLink>
  ) : (
    <PageLink to="/access/$requestId" params={{ requestId: accessRequestId }}>
      request of <Person of={requestedBy} />
    </PageLink>
  );
};
