import { Button, Group, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo, TimeLeft } from "../../../parts/values/times.tsx";
import { People, Person, useCaller } from "../parts/people.tsx";
import { ExceptionDecision } from "./exception-decision.tsx";
import { Excused } from "./exception-facts.tsx";
import { decidableQuery, revokeException, type Exception } from "./queries.ts";

interface ListProps {
  exceptions: readonly Exception[];
  /** Says what was done. */
  onDone: (line: string) => void;
}

export const ExceptionList = ({ exceptions, onDone }: ListProps): ReactNode => (
  <VirtualTable
    label="Exceptions"
    columns={[...columns, actColumn(onDone)]}
    rows={exceptions}
    rowKey={({ id }) => id}
  />
);

const actColumn = (onDone: ListProps["onDone"]): Column<Exception> => ({
  key: "act",
  header: "Decision",
  width: "minmax(0, 1.6fr)",
  wrap: true,
  cell: (exception) => <Act exception={exception} onDone={onDone} />,
});

const columns: readonly Column<Exception>[] = [
  {
    key: "policy",
    header: "Policy",
    width: "minmax(0, 1.4fr)",
    wrap: true,
    cell: ({ policyId }) => (
      <PageLink to="/policies/$policyId" params={{ policyId }} fw={550}>
        {policyId}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "7rem",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "what",
    header: "Excuses",
    width: "minmax(0, 1.2fr)",
    wrap: true,
    cell: (exception) => <Excused exception={exception} />,
  },
  {
    key: "reason",
    header: "Reason",
    width: "minmax(0, 1.6fr)",
    wrap: true,
    cell: ({ reason, requestedBy }) => (
      <>
        {reason}{" "}
        <Text span size="xs" c="dimmed">
          <Person of={requestedBy} />
        </Text>
      </>
    ),
  },
  {
    key: "until",
    header: "Ends",
    width: "7rem",
    cell: ({ status, until }) =>
      status === "approved" || status === "pending" ? <TimeLeft until={until} /> : <TimeAgo at={until} />,
  },
];

/** What the reader may do with it, or who may. */
const Act = ({ exception, onDone }: { exception: Exception } & Pick<ListProps, "onDone">): ReactNode => {
  const { id, status, requestedBy, decidedBy, decisionReason } = exception;
  const { data: decidable } = useQuery(decidableQuery);
  const others = decidable?.get(id) ?? [];
  const caller = useCaller();
  const isOperator = useHasRole("operator", "admin");
  const [isDeciding, setDeciding] = useState(false);
  const isOwn = requestedBy.toLowerCase() === caller;
  const mayRevoke = isOwn || isOperator;
  // Operators decide about all that others asked for: none of them waits until the whole list of what waits is read.
  const mayDecide = isOperator ? !isOwn : decidable?.has(id) === true;
  if (status === "pending")
    return (
      <Group gap="xs">
        {mayDecide ? (
          <>
            <Button onClick={() => setDeciding(true)}>Decide …</Button>
            {others.length > 0 && (
              <Text span size="xs" c="dimmed">
                also <People refs={others} />
              </Text>
            )}
          </>
        ) : (
          <Text span size="xs" c="dimmed">
            {isOwn ? "You asked for it: another operator, or" : "Operators and"} whoever owns all that it
            excuses decides.
          </Text>
        )}
        {isOwn && <Revoke exception={exception} onDone={onDone} verb="Take back" />}
        {isDeciding && (
          <Modal opened onClose={() => setDeciding(false)} title="Exception from a policy" size="lg">
            <ExceptionDecision
              exceptionId={id}
              policyId={exception.policyId}
              onDone={(line) => {
                setDeciding(false);
                onDone(line);
              }}
            />
          </Modal>
        )}
      </Group>
    );
  return (
    <Group gap="xs">
      {decidedBy !== undefined && (
        <span>
          <Person of={decidedBy} />
          {decisionReason !== undefined && `: ${decisionReason}`}
        </span>
      )}
      {status === "approved" && mayRevoke && <Revoke exception={exception} onDone={onDone} verb="Revoke" />}
    </Group>
  );
};

const Revoke = ({
  exception,
  onDone,
  verb,
}: { exception: Exception; verb: string } & Pick<ListProps, "onDone">): ReactNode => {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{verb} …</Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`${verb} the exception`}
        verb={verb}
        isDangerous
        onConfirm={async () => {
          await revokeException(exception.id).finally(
            () => void queries.invalidateQueries({ queryKey: keys.exceptions }),
          );
          onDone(`The exception from ${exception.policyId} is revoked.`);
        }}
      >
        <Text size="sm">
          The policy {exception.policyId} counts again at once. A running plan keeps its verdict.
        </Text>
      </ConfirmDialog>
    </>
  );
};
