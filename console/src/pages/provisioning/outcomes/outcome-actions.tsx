import { Button, Group, Modal, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { wordsOf } from "../../../parts/values/text.ts";

export type Outcome = CoordinatorComponents["schemas"]["UnknownOutcome"];
type Verdict = CoordinatorComponents["schemas"]["SettlementRequest"]["outcome"];

/** An outcome that is not known, with what is known of it, and how to settle it here. */
export const OutcomeActions = ({ outcome }: { outcome: Outcome }): ReactNode => {
  const maySettle = useHasRole("operator", "admin");
  const { evidence, state, since, next } = outcome;
  return (
    <WaitingReason
      reason={
        state === "IN_PROGRESS"
          ? "Its call is not decided yet; its plan still asks."
          : "It is not known whether its call changed something."
      }
      since={since}
      who={["operators"]}
      until={evidence.nextRetryAt}
      next={next}
    >
      <OutcomeEvidence outcome={outcome} />
      {maySettle && state === "OPEN" && <PollButton outcome={outcome} />}
      {maySettle && state === "OPEN" && <SettleButton outcome={outcome} />}
    </WaitingReason>
  );
};

export const OutcomeEvidence = ({ outcome }: { outcome: Outcome }): ReactNode => {
  const { evidence, attempts } = outcome;
  return (
    <Text size="xs" c="dimmed" w="100%" component="div">
      {attempts} {attempts === 1 ? "attempt" : "attempts"}
      {evidence.lastAnswer !== null && <> · last answer: {evidence.lastAnswer}</>}
      {evidence.lastPollAnswer !== null && <> · last poll: {evidence.lastPollAnswer}</>}
      {evidence.token === null && <> · the adapter gave no token to ask with</>}
    </Text>
  );
};

const useWrite = <T,>(mutationFn: (input: T) => Promise<unknown>, onDone?: () => void) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      onDone?.();
      await Promise.all(
        [keys.unknownOutcomes, keys.plans, keys.units, keys.operations].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
};

export const PollButton = ({ outcome }: { outcome: Outcome }): ReactNode => {
  const { planId, taskId, evidence } = outcome;
  const poll = useWrite(() =>
    call(
      api.coordinator.POST("/api/coordinator/v1/unknown-outcomes/{plan}/{task}/poll", {
        params: { path: { plan: planId, task: taskId } },
      }),
    ),
  );
  if (evidence.token === null) return null;
  return (
    <>
      <Button loading={poll.isPending} onClick={() => poll.mutate(undefined)}>
        Ask the adapter now
      </Button>
      {poll.isError && <ErrorView error={poll.error} what="ask the adapter" />}
    </>
  );
};

const explained: Record<Verdict, string> = {
  DEPLOYED: "Deployed: the call did what it should",
  NOT_DEPLOYED: "Not deployed: the call did nothing, or undid what was there",
  CORRUPT: "Corrupt: it did a part, which somebody has to mend",
  APPLIED: "Applied: the call did what it should",
  NOT_APPLIED: "Not applied: the call did nothing",
};

const ofComponents: readonly Verdict[] = ["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"];
const ofOthers: readonly Verdict[] = ["APPLIED", "NOT_APPLIED"];

export const SettleButton = ({ outcome }: { outcome: Outcome }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Settle</Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="What is true of it?">
        {isOpen && <SettleForm outcome={outcome} onDone={() => setOpen(false)} />}
      </Modal>
    </>
  );
};

const SettleForm = ({ outcome, onDone }: { outcome: Outcome; onDone: () => void }): ReactNode => {
  const { planId, taskId, action } = outcome;
  const verdicts = action === "PROVISION" || action === "UNPROVISION" ? ofComponents : ofOthers;
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [reason, setReason] = useState("");
  const settle = useWrite(
    (body: { outcome: Verdict; reason: string }) =>
      call(
        api.coordinator.POST("/api/coordinator/v1/unknown-outcomes/{plan}/{task}/settle", {
          params: { path: { plan: planId, task: taskId } },
          body,
        }),
      ),
    onDone,
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (verdict !== null) settle.mutate({ outcome: verdict, reason });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {wordsOf(action)} of {outcome.componentId ?? taskId}. Look at the resource itself first: what is
          written here counts as its state from now on.
        </Text>
        <Select
          label="Outcome"
          required
          data={verdicts.map((value) => ({ value, label: explained[value] }))}
          value={verdict}
          onChange={(value) => setVerdict(value)}
          data-autofocus
        />
        <Textarea
          label="How it was found out"
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {settle.isError && <ErrorView error={settle.error} what="settle the outcome" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onDone}>Cancel</Button>
          <Button
            type="submit"
            variant="filled"
            loading={settle.isPending}
            disabled={verdict === null || reason.trim() === ""}
          >
            Settle
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
