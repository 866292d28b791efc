import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { approvalsQuery, type WaitingApproval } from "../queries.ts";
import { ApprovalCard } from "./approval-card.tsx";

/** All tool calls that wait for the caller, the one that has waited longest first. */
export const AssistantApprovalsPage = (): ReactNode => (
  <>
    <PageHeader
      title="Tool approvals"
      description="Tool calls of your conversations that wait for your decision. Nobody else can decide them."
    />
    <Loaded query={useQuery(approvalsQuery)} what="list the approvals">
      {({ data, meta }) =>
        data.length === 0 ? (
          <EmptyView
            title="No tool call waits for you"
            icon="check"
            action={<ButtonLink to="/assistant">Ask the assistant</ButtonLink>}
          >
            The assistant asks before a tool changes something.
          </EmptyView>
        ) : (
          <Stack gap="lg" maw="56rem">
            {data.map((row) => (
              <Waiting key={row.approval_id} row={row} />
            ))}
            {meta.pagination.total > data.length && (
              <Text size="sm" c="dimmed">
                {meta.pagination.total - data.length} more wait; they are shown as these are decided.
              </Text>
            )}
          </Stack>
        )
      }
    </Loaded>
  </>
);

const Waiting = ({ row }: { row: WaitingApproval }): ReactNode => (
  <div>
    <Text size="sm" mb={4} component="div">
      <PageLink to="/assistant/$sessionId" params={{ sessionId: row.session_id }}>
        Open its conversation
      </PageLink>
    </Text>
    <ApprovalCard
      asked={{
        approvalId: row.approval_id,
        runId: row.run_id,
        sessionId: row.session_id,
        agents: row.agents,
        server: row.server,
        tool: row.tool,
        arguments: row.arguments,
        schema: row.arguments_schema ?? null,
        since: row.since,
        expiresAt: row.expires_at,
      }}
    />
  </div>
);
