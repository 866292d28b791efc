import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ErrorView } from "../../../parts/states/views.tsx";

export interface Decision {
  approve: boolean;
  reason: string;
}

export interface DecisionFormProps {
  /** Kept by the parent, so that it is not lost when somebody else decides meanwhile. */
  reason: string;
  onReason: (reason: string) => void;
  onDecide: (decision: Decision) => Promise<unknown>;
  /** Who reads the reason. */
  reader: string;
  /** Whether an approval needs a reason too; a refusal always does. */
  alwaysReason?: boolean;
  verbs?: { approve: string; refuse: string };
}

/** Approve or refuse, with a reason. */
export const DecisionForm = (props: DecisionFormProps): ReactNode => {
  const { reason, onReason, onDecide, reader, alwaysReason = false } = props;
  const { approve, refuse } = props.verbs ?? { approve: "Approve", refuse: "Refuse" };
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<boolean | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (isApproval: boolean): Promise<void> => {
    const isMissing = reason.trim() === "" && (alwaysReason || !isApproval);
    setProblem(isMissing ? `Say why: ${reader} reads it.` : null);
    if (isMissing) return;
    setBusy(isApproval);
    setError(null);
    try {
      await onDecide({ approve: isApproval, reason: reason.trim() });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  return (
    <Stack gap="xs" w="38rem" maw="100%">
      <Textarea
        label="Reason"
        description={alwaysReason ? undefined : "Needed to refuse."}
        size="xs"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={reason}
        error={problem}
        onChange={({ currentTarget }) => onReason(currentTarget.value)}
      />
      {error !== null && <ErrorView error={error} what="send your decision" />}
      <Group gap="xs">
        <Button
          variant="filled"
          loading={busy === true}
          disabled={busy !== null}
          onClick={() => void decide(true)}
        >
          {approve}
        </Button>
        <Button
          color="bad"
          variant="outline"
          loading={busy === false}
          disabled={busy !== null}
          onClick={() => void decide(false)}
        >
          {refuse}
        </Button>
      </Group>
    </Stack>
  );
};
