import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { Facts } from "../parts/facts.tsx";
import { People, Person } from "../parts/people.tsx";
import { readable } from "../parts/names.ts";
import { Section } from "../parts/section.tsx";
import { requestQuery, type AccessRequest } from "./queries.ts";

/** What an access request asks for, on the page of its approval. */
export const AccessFacts = ({ requestId }: { requestId: string }): ReactNode => (
  <Loaded query={useQuery(requestQuery(requestId))} what="read the access request">
    {(request) => <RequestContent request={request} />}
  </Loaded>
);

export const RequestContent = ({ request }: { request: AccessRequest }): ReactNode => (
  <>
    <Section title={request.operation === "GRANT" ? "Who is to have access" : "Who is to lose access"}>
      <Facts
        items={{
          [request.operation === "GRANT" ? "For" : "From"]: <People refs={request.identities} />,
          Reason: request.reason,
          "Asked by": <Person of={request.requester} />,
          Form: request.templateRef,
        }}
      />
      {/* Apart: a field may have any name, such as that of a fact above. */}
      <Facts items={fieldsOf(request)} />
    </Section>
    <Section title="Output ports">
      <Ports request={request} />
    </Section>
  </>
);

const fieldsOf = ({ accessControlFields, reason }: AccessRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(accessControlFields ?? {}).flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return name === "reason" && text === reason ? [] : [[name, text] as const];
    }),
  );

const Ports = ({ request: { outputPorts, status } }: { request: AccessRequest }): ReactNode => (
  <Table.ScrollContainer minWidth={320}>
    <Table aria-label="Output ports">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Port</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Plan</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {outputPorts.map((port) => (
          <Table.Tr key={port.urn}>
            <Table.Td title={port.urn}>
              {port.name ?? port.urn}
              {port.message !== null && (
                <Text size="xs" c="bad">
                  {port.message}
                </Text>
              )}
              {port.waiting !== null && (
                <Text size="xs" c="dimmed">
                  {readable(port.waiting)}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              {status === "PENDING" || status === "REJECTED" ? "–" : <StatusBadge status={port.status} />}
            </Table.Td>
            <Table.Td>
              {port.executionPlanId === null ? (
                "–"
              ) : (
                <PageLink to="/plans/$planId" params={{ planId: port.executionPlanId }} inherit>
                  {port.executionPlanId.slice(0, 8)}
                </PageLink>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
