import { Code, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { TimeAgo, TimeLeft } from "../../../parts/values/times.tsx";
import { Facts } from "../parts/facts.tsx";
import { shortName } from "../parts/names.ts";
import { Person } from "../parts/people.tsx";
import type { Exception } from "./queries.ts";

/** What is excused: resources by name, or an expression. */
export const Excused = ({ exception: { resourceIds, select } }: { exception: Exception }): ReactNode =>
  select === undefined ? (
    <span title={resourceIds.join("\n")}>{resourceIds.map(shortName).join(", ")}</span>
  ) : (
    <Code>{select}</Code>
  );

export const ExceptionFacts = ({ exception }: { exception: Exception }): ReactNode => (
  <Facts
    items={{
      Policy: (
        <PageLink to="/policies/$policyId" params={{ policyId: exception.policyId }}>
          {exception.policyId}
        </PageLink>
      ),
      Excuses: <Excused exception={exception} />,
      Environments: exception.environments.length === 0 ? "all" : exception.environments.join(", "),
      Reason: exception.reason,
      "Asked by": (
        <span>
          <Person of={exception.requestedBy} />, <TimeAgo at={exception.requestedAt} />
        </span>
      ),
      Ends: <TimeLeft until={exception.until} />,
    }}
  />
);

/** Who decided, and why. */
export const ExceptionOutcome = ({ exception }: { exception: Exception }): ReactNode => {
  const { status, decidedBy, decidedAt, decisionReason } = exception;
  if (decidedBy === undefined) return <Text size="sm">It is {status}.</Text>;
  return (
    <Text size="sm" component="div">
      {status === "rejected" ? "Rejected" : "Approved"} by <Person of={decidedBy} />
      {decidedAt !== undefined && (
        <>
          , <TimeAgo at={decidedAt} />
        </>
      )}
      {decisionReason !== undefined && `: ${decisionReason}`}
      {(status === "revoked" || status === "expired") && `. It is ${status}.`}
    </Text>
  );
};
