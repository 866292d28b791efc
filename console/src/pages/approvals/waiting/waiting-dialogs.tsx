import { Button, Group, List, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { ExceptionDecision } from "../exceptions/exception-decision.tsx";
import { DecisionForm } from "../parts/decision-form.tsx";
import { readable, shortName } from "../parts/names.ts";
import { titleOf } from "./kinds.ts";
import { approveReconcile, reconcileQuery, refuseReconcile } from "./queries.ts";
import type { WaitingDialogProps } from "./waiting-actions.tsx";

/** What an exception excuses, and the decision about it. */
export const ExceptionDialog = ({ item, tell, opened, onClose }: WaitingDialogProps): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Exception from a policy" size="lg">
    <ExceptionDecision
      exceptionId={item.link.exceptionId ?? item.id}
      policyId={item.link.policyId}
      onDone={(line) => {
        tell(line);
        onClose();
      }}
    />
  </Modal>
);

/** What the plan would repair, and the decision to start exactly that plan. */
export const ReconcileDialog = ({ item, tell, opened, onClose }: WaitingDialogProps): ReactNode => {
  const queries = useQueryClient();
  const id = item.link.reconcileId ?? item.id;
  const [reason, setReason] = useState("");
  const query = useQuery(reconcileQuery(id));
  return (
    <Modal opened={opened} onClose={onClose} title="Repair of drift" size="lg">
      <Stack gap="sm">
        <Text size="sm">{readable(item.reason)}</Text>
        <Loaded query={query} what="read what it would do">
          {({ changes, changeCount }) => (
            <List size="sm">
              {changes.map(({ componentId, action, reason: why }) => (
                <List.Item key={componentId} title={componentId}>
                  {wordsOf(action)} {shortName(componentId)}: {wordsOf(why)}
                </List.Item>
              ))}
              {changeCount > changes.length && <List.Item>and {changeCount - changes.length} more</List.Item>}
            </List>
          )}
        </Loaded>
        <DecisionForm
          reason={reason}
          onReason={setReason}
          reader="the audit"
          verbs={{ approve: "Start the repair", refuse: "Refuse" }}
          onDecide={async ({ approve, reason: why }) => {
            try {
              await (approve ? approveReconcile(id) : refuseReconcile(id, why));
            } finally {
              const changed = [keys.waiting, keys.reconciles];
              await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
            }
            tell(`You ${approve ? "started the repair" : "refused"}: ${titleOf(item)}`);
            onClose();
          }}
        />
      </Stack>
    </Modal>
  );
};

export interface RefuseDialogProps {
  title: string;
  about: string;
  onClose: () => void;
  onRefuse: (reason: string) => Promise<unknown>;
}

/** A refusal needs a reason. */
export const RefuseDialog = ({ title, about, onClose, onRefuse }: RefuseDialogProps): ReactNode => {
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const refuse = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onRefuse(reason.trim());
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm">{about}</Text>
        <Textarea
          size="xs"
          label="Reason"
          description="The requester reads it."
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data-autofocus
        />
        {error !== null && <ErrorView error={error} what="send your decision" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            color="bad"
            loading={isBusy}
            disabled={reason.trim() === ""}
            onClick={() => void refuse()}
          >
            Refuse
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
