import { Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { referenceText } from "../../../parts/values/text.ts";
import { readable } from "../parts/names.ts";
import { titleOf } from "./kinds.ts";
import { answerHook, hookQuery } from "../hooks/queries.ts";
import { ExceptionDialog, ReconcileDialog, RefuseDialog } from "./waiting-dialogs.tsx";
import type { WaitingRowProps } from "./waiting-row.tsx";

/** What the reader can do: at once where one button is enough, else the page that has all that the decision needs. */
export const WaitingActions = (props: WaitingRowProps): ReactNode => {
  const { kind, subject, link } = props.item;
  if (subject === "ACCESS_REQUEST" && link.hookId !== undefined)
    return <AccessActions {...props} hookId={link.hookId} />;
  if (link.hookId !== undefined)
    return (
      <ButtonLink to="/hooks/$hookId" params={{ hookId: link.hookId }}>
        Review
      </ButtonLink>
    );
  if (kind === "EXCEPTION") return <DialogButton label="Decide …" {...props} Dialog={ExceptionDialog} />;
  if (kind === "RECONCILE") return <DialogButton label="Decide …" {...props} Dialog={ReconcileDialog} />;
  if (kind === "APPROVAL" && link.sessionId !== undefined)
    return (
      <ButtonLink to="/assistant/$sessionId" params={{ sessionId: link.sessionId }}>
        Open the chat
      </ButtonLink>
    );
  if (kind === "APPROVAL") return <ButtonLink to="/assistant/approvals">Open</ButtonLink>;
  if (kind === "UNKNOWN_OUTCOME") return <ButtonLink to="/unknown-outcomes">Settle</ButtonLink>;
  if (kind === "FAILED_OPERATION" && link.planId !== undefined)
    return <FailedActions {...props} planId={link.planId} />;
  return link.planId === undefined ? null : (
    <ButtonLink to="/plans/$planId" params={{ planId: link.planId }}>
      Open the plan
    </ButtonLink>
  );
};

export interface WaitingDialogProps extends WaitingRowProps {
  opened: boolean;
  onClose: () => void;
}

const DialogButton = ({
  label,
  Dialog,
  ...props
}: WaitingRowProps & { label: string; Dialog: (props: WaitingDialogProps) => ReactNode }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <Dialog {...props} opened onClose={() => setOpen(false)} />}
    </>
  );
};

const AccessActions = ({ item, tell, hookId }: WaitingRowProps & { hookId: string }): ReactNode => {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [isRefusing, setRefusing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const answer = async (approve: boolean, reason: string): Promise<void> => {
    try {
      await answerHook(hookId, { approve, reason });
      tell(`You ${approve ? "approved" : "refused"}: ${titleOf(item)}`);
    } catch (failure) {
      if (statusOf(failure) !== 409) throw failure;
      const now = await queries.fetchQuery({ ...hookQuery(hookId), staleTime: 0 });
      const by = now.endedBy === null ? "Somebody else" : referenceText(now.endedBy);
      const what = now.status === "OK" ? "approved" : "refused";
      tell(
        `${by} ${what} it before you did${now.reason === null ? "" : ` (${now.reason})`}: ${titleOf(item)}`,
      );
    } finally {
      const changed = [keys.waiting, keys.hooks, keys.accessRequests];
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    }
  };
  const approve = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await answer(true, "").catch(setError);
    setBusy(false);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button loading={isBusy} onClick={() => void approve()}>
          Approve
        </Button>
        <Button onClick={() => setRefusing(true)}>Refuse …</Button>
        <ButtonLink to="/hooks/$hookId" params={{ hookId }} variant="subtle">
          Details
        </ButtonLink>
      </Group>
      {error !== null && <ErrorView error={error} what="send your decision" />}
      {isRefusing && (
        <RefuseDialog
          title="Refuse the access request"
          about={readable(item.reason)}
          onClose={() => setRefusing(false)}
          onRefuse={(reason) => answer(false, reason)}
        />
      )}
    </Stack>
  );
};

const FailedActions = ({ planId }: WaitingRowProps & { planId: string }): ReactNode => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const resume = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const token = await call(
        api.coordinator.POST("/api/coordinator/v1/execution-plans/{token}/resume", {
          params: { path: { token: planId } },
        }),
      );
      await queries.invalidateQueries({ queryKey: keys.waiting });
      await navigate({ to: "/plans/$planId", params: { planId: token } });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <ButtonLink to="/plans/$planId" params={{ planId }}>
          Open the plan
        </ButtonLink>
        <Button loading={isBusy} onClick={() => void resume()}>
          Resume
        </Button>
      </Group>
      {error !== null && <ErrorView error={error} what="resume the plan" />}
    </Stack>
  );
};
