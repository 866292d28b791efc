import { Button, List, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortId } from "../names.ts";
import { usePermission } from "../unit/who-may.tsx";
import classes from "./drift.module.css";
import { reconcileQuery, reconcilesQuery } from "./queries.ts";

type Reconcile = CoordinatorComponents["schemas"]["ReconcileSummary"];

/** Plans that would repair what a check found: those that wait for an answer first, then how others ended. */
export const Reconciles = ({ unitId, environment }: { unitId: string; environment: string }): ReactNode => {
  const list = useQuery(reconcilesQuery(unitId, environment)).data?.data ?? [];
  if (list.length === 0) return null;
  const waiting = list.filter(({ status }) => status === "FOUND" || status === "ASKED");
  const others = list.filter((each) => !waiting.includes(each));
  return (
    <section>
      <Title order={2} mb="xs">
        Repairs
      </Title>
      {waiting.map((each) => (
        <WaitingReconcile key={each.id} reconcile={each} />
      ))}
      {others.length > 0 && (
        <List size="sm" spacing={4} listStyleType="none">
          {others.map(({ id, status, planId, createdAt, reason, components }) => (
            <List.Item key={id}>
              <StatusBadge status={status} /> {components.map(shortId).join(", ")}, <TimeAgo at={createdAt} />
              {reason !== null && <>: {reason}</>}{" "}
              {planId !== null && (
                <PageLink to="/plans/$planId" params={{ planId }}>
                  Its plan
                </PageLink>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </section>
  );
};

const WaitingReconcile = ({ reconcile }: { reconcile: Reconcile }): ReactNode => {
  const { id, deploymentUnitId, environment, components, createdAt, expiresAt } = reconcile;
  const permission = usePermission(deploymentUnitId, environment, "start", "approve the repair");
  const [dialog, setDialog] = useState<"approve" | "refuse" | null>(null);
  const [reason, setReason] = useState("");
  const queries = useQueryClient();
  const answered = async (request: Promise<unknown>): Promise<void> => {
    await request;
    await Promise.all(
      [keys.reconciles, keys.unit(deploymentUnitId), keys.waiting].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
  const path = { "reconcile-id": id };
  const close = (): void => setDialog(null);
  return (
    <div className={classes["reconcile"]}>
      <WaitingReason
        reason={`A plan is ready that would repair ${components.map(shortId).join(", ")}.`}
        since={createdAt}
        who={permission.isAllowed ? ["you", "whoever may deploy the unit"] : ["whoever may deploy the unit"]}
        until={expiresAt}
        next={permission.note ?? "once it is approved, exactly this plan is started."}
      >
        {permission.isAllowed && (
          <>
            <Button variant="filled" onClick={() => setDialog("approve")}>
              Repair
            </Button>
            <Button onClick={() => setDialog("refuse")}>Leave it</Button>
          </>
        )}
      </WaitingReason>
      <ConfirmDialog
        opened={dialog === "approve"}
        onClose={close}
        title="Repair the drift"
        verb="Start the repair"
        onConfirm={() =>
          answered(
            call(
              api.coordinator.POST("/api/coordinator/v1/reconciles/{reconcile-id}/approve", {
                params: { path },
              }),
            ),
          )
        }
      >
        <Changes id={id} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === "refuse"}
        onClose={close}
        title="Leave the drift"
        verb="Leave it"
        onConfirm={() =>
          answered(
            call(
              api.coordinator.POST("/api/coordinator/v1/reconciles/{reconcile-id}/refuse", {
                params: { path },
                body: { reason },
              }),
            ),
          )
        }
      >
        <Text size="sm" mb="xs">
          Nothing is changed. A later check that finds drift asks again.
        </Text>
        <TextInput
          label="Reason"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ConfirmDialog>
    </div>
  );
};

const Changes = ({ id }: { id: string }): ReactNode => (
  <Loaded query={useQuery(reconcileQuery(id))} what="read what it would do">
    {({ changes, changeCount }) => (
      <List size="sm" spacing={4}>
        {changes.map(({ componentId, action, reason }) => (
          <List.Item key={componentId}>
            <StatusBadge status={action} tone="gray" /> {shortId(componentId)}: {reason}
          </List.Item>
        ))}
        {changeCount > changes.length && <List.Item>and {changeCount - changes.length} more</List.Item>}
      </List>
    )}
  </Loaded>
);
