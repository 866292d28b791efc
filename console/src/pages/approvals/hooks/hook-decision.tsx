import { Alert, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { DecisionForm, type Decision } from "../parts/decision-form.tsx";
import { isAmong, People, Person, useCaller, useCallerRefs, WhoElseMay } from "../parts/people.tsx";
import { endOf } from "./hook-words.ts";
import { answerHook, type Hook } from "./queries.ts";

/** Those who may answer a notification; whoever asked for a deployment is never one of them. */
const decidersOf = ({ owners, kind, actionName, requester }: Hook): string[] =>
  kind === "notification"
    ? owners.filter((ref) => actionName !== "deployment" || ref !== requester.toLowerCase())
    : [];

const useMayAnswer = (hook: Hook): boolean => {
  const isOperator = useHasRole("operator", "admin");
  const refs = useCallerRefs();
  const caller = useCaller();
  const isOwnDeployment = hook.actionName === "deployment" && hook.requester.toLowerCase() === caller;
  if (isOwnDeployment) return false;
  return isOperator || (hook.kind === "notification" && isAmong(hook.owners, refs));
};

/**
 * Why it waits and the decision, or how it was decided. What the reader has written stays when somebody else decides meanwhile, and is
 * said not to count.
 */
export const HookDecision = ({ hook }: { hook: Hook }): ReactNode => {
  const queries = useQueryClient();
  const mayAnswer = useMayAnswer(hook);
  const [reason, setReason] = useState("");
  const [wasOpen] = useState(hook.status === "pending");
  const [unused, setUnused] = useState<Decision | null>(null);
  const [isMine, setMine] = useState(false);
  const refresh = () =>
    Promise.all(
      [keys.hooks, keys.waiting, keys.accessRequests].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const decide = async (decision: Decision): Promise<void> => {
    try {
      queries.setQueryData([...keys.hooks, hook.hookId], await answerHook(hook.hookId, decision));
      setMine(true);
      await refresh();
    } catch (error) {
      // Somebody else was faster: the page shows what they decided, and that this was not.
      if (statusOf(error) !== 409) throw error;
      setUnused(decision);
      await refresh();
    }
  };
  if (hook.status !== "pending")
    return (
      <Stack gap="xs">
        {wasOpen && !isMine && <DecidedMeanwhile hook={hook} unused={unused} reason={reason} />}
        <Outcome hook={hook} />
      </Stack>
    );
  return (
    <WaitingReason
      reason={hook.kind === "remote" ? "A third party decides" : "Somebody has to decide"}
      since={hook.creationAt}
      who={[...decidersOf(hook), "operators"]}
      until={hook.expiresAt}
      next={endOf(hook)}
    >
      {mayAnswer ? (
        <DecisionForm reason={reason} onReason={setReason} onDecide={decide} reader={hook.requester} />
      ) : (
        <WhoMayInstead hook={hook} />
      )}
    </WaitingReason>
  );
};

const WhoMayInstead = ({ hook }: { hook: Hook }): ReactNode => {
  const caller = useCaller();
  return (
    <WhoElseMay>
      {hook.actionName === "deployment" && hook.requester.toLowerCase() === caller
        ? "You asked for it, so somebody else decides: "
        : "You may not decide. Open to "}
      {decidersOf(hook).length > 0 && (
        <>
          <People refs={decidersOf(hook)} /> and{" "}
        </>
      )}
      operators.
    </WhoElseMay>
  );
};

const Outcome = ({ hook }: { hook: Hook }): ReactNode => {
  const isApproved = hook.status === "OK";
  return (
    <Alert
      color={isApproved ? "good" : "bad"}
      icon={<Icon name={isApproved ? "check" : "close"} />}
      title={
        <>
          {isApproved ? "Approved" : "Refused"} by{" "}
          {hook.endedBy === null ? "nobody" : <Person of={hook.endedBy} />}
        </>
      }
    >
      <Text size="sm">
        {hook.reason ?? "No reason was given."}{" "}
        <Text span size="xs" c="dimmed">
          <TimeAgo at={hook.updateAt} />
        </Text>
      </Text>
    </Alert>
  );
};

const DecidedMeanwhile = ({
  hook,
  unused,
  reason,
}: {
  hook: Hook;
  unused: Decision | null;
  reason: string;
}): ReactNode => (
  <Alert color="warn" icon={<Icon name="warning" />} role="status" title="Somebody else decided meanwhile">
    <Text size="sm">
      {hook.endedBy === null ? "It ended" : <Person of={hook.endedBy} />}
      {hook.endedBy !== null && (hook.status === "OK" ? " approved it" : " refused it")} before you did.{" "}
      {unused !== null && `Your answer, to ${unused.approve ? "approve" : "refuse"}, changed nothing.`}
    </Text>
    {reason !== "" && <Text size="sm">What you wrote was not sent: “{reason}”</Text>}
  </Alert>
);
