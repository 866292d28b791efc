import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { inDays } from "../parts/names.ts";
import type { Policy, PolicyStatus } from "./queries.ts";
import { deletePolicy, setPolicyStatus } from "./writes.ts";

interface Change {
  status: PolicyStatus;
  verb: string;
  effect: string;
}

const grace: Change = {
  status: "grace",
  verb: "Give grace",
  effect: "A violation warns until the date, and blocks from then on.",
};
const enable: Change = {
  status: "enabled",
  verb: "Enable",
  effect: "A violation blocks deployments at once.",
};
const disable: Change = {
  status: "disabled",
  verb: "Disable",
  effect: "It is not evaluated any more; its results stay.",
};
const draft: Change = { status: "draft", verb: "Make a draft", effect: "It can be changed and deleted." };

/** The changes of status that the server allows. */
const changes: Record<PolicyStatus, readonly Change[]> = {
  draft: [grace, enable],
  grace: [enable, { ...grace, verb: "Change the date" }, disable],
  enabled: [grace, disable],
  disabled: [draft],
};

export const PolicyStatusButtons = ({ policy }: { policy: Policy }): ReactNode => {
  const [change, setChange] = useState<Change | null>(null);
  return (
    <Group gap="xs">
      {changes[policy.status].map((each) => (
        <Button key={each.verb} onClick={() => setChange(each)}>
          {each.verb} …
        </Button>
      ))}
      {policy.status === "draft" && <DeleteButton policy={policy} />}
      {change !== null && <StatusDialog policy={policy} change={change} onClose={() => setChange(null)} />}
    </Group>
  );
};

const usualGraceDays = 30;

interface StatusDialogProps {
  policy: Policy;
  change: Change;
  onClose: () => void;
}

const StatusDialog = ({ policy, change, onClose }: StatusDialogProps): ReactNode => {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState(inDays(usualGraceDays));
  const setting = useMutation({
    mutationFn: () =>
      setPolicyStatus(policy.id, {
        status: change.status,
        reason: reason.trim(),
        ...(change.status === "grace" && until !== "" && { graceUntil: new Date(until).toISOString() }),
      }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.policies }),
  });
  return (
    <Modal opened onClose={onClose} title={`${change.verb}: ${policy.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setting.mutate();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{change.effect} Try it on everything to see who would be hit.</Text>
          {change.status === "grace" && (
            <TextInput
              type="datetime-local"
              label="Grace until"
              value={until}
              onChange={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          )}
          <Textarea
            size="xs"
            label="Reason"
            description="Stored in the audit."
            autosize
            minRows={2}
            maxLength={2048}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
          {setting.error !== null && <ErrorView error={setting.error} what="change the status" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="filled"
              loading={setting.isPending}
              disabled={reason.trim() === ""}
            >
              {change.verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

const DeleteButton = ({ policy }: { policy: Policy }): ReactNode => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Delete …</Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Delete the draft"
        verb="Delete"
        isDangerous
        onConfirm={async () => {
          await deletePolicy(policy.id);
          await navigate({ to: "/policies" });
          await queries.invalidateQueries({ queryKey: keys.policies });
        }}
      >
        <Text size="sm">The draft of {policy.name} and its versions are gone. That cannot be undone.</Text>
      </ConfirmDialog>
    </>
  );
};
