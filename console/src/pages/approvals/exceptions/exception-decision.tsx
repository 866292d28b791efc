import { Alert, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { Loaded } from "../../../parts/states/views.tsx";
import { DecisionForm, type Decision } from "../parts/decision-form.tsx";
import { ExceptionFacts, ExceptionOutcome } from "./exception-facts.tsx";
import { decideException, exceptionQuery, type Exception } from "./queries.ts";

export interface ExceptionDecisionProps {
  exceptionId: string;
  policyId: string | undefined;
  /** Says what was decided. */
  onDone: (line: string) => void;
}

/** What the exception excuses, and the decision about it. */
export const ExceptionDecision = ({ exceptionId, policyId, onDone }: ExceptionDecisionProps): ReactNode => (
  <Loaded query={useQuery(exceptionQuery(exceptionId, policyId))} what="read the exception">
    {(exception) =>
      exception === null ? (
        <Text size="sm">There is no such exception of its policy.</Text>
      ) : (
        <Decide exception={exception} onDone={onDone} />
      )
    }
  </Loaded>
);

const Decide = ({
  exception,
  onDone,
}: {
  exception: Exception;
  onDone: (line: string) => void;
}): ReactNode => {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const [unused, setUnused] = useState<Decision | null>(null);
  const decide = async (decision: Decision): Promise<void> => {
    try {
      await decideException(exception.id, decision);
      onDone(
        `You ${decision.approve ? "approved" : "rejected"} the exception from ${exception.policyId} of ${exception.requestedBy}.`,
      );
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      setUnused(decision);
    } finally {
      const changed = [keys.exceptions, keys.waiting];
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    }
  };
  return (
    <Stack gap="sm">
      <ExceptionFacts exception={exception} />
      {exception.status === "pending" ? (
        <DecisionForm
          reason={reason}
          onReason={setReason}
          onDecide={decide}
          reader={exception.requestedBy}
          alwaysReason
          verbs={{ approve: "Approve", refuse: "Reject" }}
        />
      ) : (
        <>
          {unused !== null && (
            <Alert color="warn" title="Somebody else decided meanwhile" role="status">
              Your decision, to {unused.approve ? "approve" : "reject"} it (“{unused.reason}”), changed
              nothing.
            </Alert>
          )}
          <ExceptionOutcome exception={exception} />
        </>
      )}
    </Stack>
  );
};
