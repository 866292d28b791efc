import { Drawer, Group, Stack, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { JsonView } from "../../../parts/values/code-view.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { momentText } from "../../../parts/values/text.ts";
import { Facts } from "../parts/facts.tsx";
import { SubjectLink } from "../parts/subject-link.tsx";

type Row = CoordinatorComponents["schemas"]["AuditRecord"];

const route = getRouteApi("/audit");

export const keyOfRow = ({ chain, id }: Row): string => `${chain}-${id}`;

/** All that the audit has of one record, beside the list. */
export const AuditRow = ({ row }: { row: Row | undefined }): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <Drawer
      opened={row !== undefined}
      onClose={() => void navigate({ search: (previous) => ({ ...previous, row: undefined }) })}
      position="right"
      size="lg"
      title={row?.action ?? ""}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {row !== undefined && <RowDetails row={row} />}
    </Drawer>
  );
};

const RowDetails = ({ row }: { row: Row }): ReactNode => (
  <Stack gap="md">
    <Facts
      of={{
        When: (
          <time dateTime={row.at} title={row.at}>
            {momentText(Date.parse(row.at))}
          </time>
        ),
        Who: row.actor,
        To: <SubjectLink subject={row.resource} />,
        Area: row.area ?? "–",
        From: row.clientAddress ?? "a process by itself",
        Request: row.requestId === null ? "–" : <IdText id={row.requestId} />,
        Chain: `${row.chain}, row ${row.id}${row.seq === null ? ", not sealed yet" : `, place ${row.seq}`}`,
        Hash: row.hash === null ? "–" : <IdText id={row.hash} length={24} />,
      }}
    />
    <div>
      <Title order={2} mb={4}>
        Details
      </Title>
      <JsonView value={row.detail} label="Details of the record" />
    </div>
    <Group gap="xs">
      {row.requestId !== null && (
        <ButtonLink to="/audit" search={{ request: row.requestId }}>
          All of this request
        </ButtonLink>
      )}
      <ButtonLink to="/audit" search={{ resource: row.resource }}>
        All about this
      </ButtonLink>
      <ButtonLink to="/audit" search={{ actor: row.actor }}>
        All that {row.actor} did
      </ButtonLink>
    </Group>
  </Stack>
);
