import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import type { Instantiation } from "../queries.ts";
import { RetryDialog } from "./retry-dialog.tsx";

export interface RunActionsProps {
  run: Instantiation;
  onRetried: () => void;
}

export const RunActions = ({ run, onRetried }: RunActionsProps): ReactNode => {
  const { id, status, templateRef, entityRef } = run;
  const [dialog, setDialog] = useState<"cancel" | "retry" | null>(null);
  const mayAct = useHasRole("developer", "operator", "admin", "service");
  const close = (): void => setDialog(null);
  if (!mayAct) return null;
  const isAtWork = status === "open" || status === "processing";
  const isForEntity = !templateRef.toLowerCase().startsWith("template:");
  return (
    <>
      {isAtWork && (
        <Button color="bad" variant="outline" onClick={() => setDialog("cancel")}>
          Cancel the run
        </Button>
      )}
      {!isAtWork && (!isForEntity || entityRef !== null) && (
        <ButtonLink
          to="/templates/$templateRef"
          params={{ templateRef }}
          search={{ from: id, ...(entityRef !== null && { entity: entityRef }) }}
        >
          Start again with these values
        </ButtonLink>
      )}
      {(status === "failed" || status === "cancelled") && (
        <Button variant="filled" onClick={() => setDialog("retry")}>
          Retry
        </Button>
      )}
      <CancelDialog run={run} opened={dialog === "cancel"} onClose={close} />
      <RetryDialog
        key={String(dialog)}
        run={run}
        opened={dialog === "retry"}
        onClose={close}
        onRetried={onRetried}
      />
    </>
  );
};

const CancelDialog = ({
  run: { id, title, steps },
  opened,
  onClose,
}: {
  run: Instantiation;
  opened: boolean;
  onClose: () => void;
}): ReactNode => {
  const queries = useQueryClient();
  const underWay = steps.find(({ status }) => status === "processing");
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Cancel ${title}?`}
      verb="Cancel the run"
      isDangerous
      onConfirm={async () => {
        await call(
          api.builder.POST("/api/builder/templates/tasks/{taskId}/cancel", {
            params: { path: { taskId: id } },
          }),
        );
        await queries.invalidateQueries({ queryKey: keys.instantiations });
      }}
    >
      {underWay === undefined
        ? "No step is under way. The run ends at once."
        : `The step ${underWay.name} is stopped where it is. What the steps before it made stays.`}{" "}
      A retry can go on later.
    </ConfirmDialog>
  );
};
