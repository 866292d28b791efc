import { Group, Paper, Select, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { People } from "../parts/people.tsx";
import { operations, whoMayQuery, type Question } from "./queries.ts";
import { operationWords } from "./rule-words.ts";

const route = getRouteApi("/ownership");

/** Asks whether the reader may do something to a unit, and who may. */
export const WhoMay = (): ReactNode => {
  const { unit = "", operation = "start" } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  return (
    <Paper component="section" aria-label="Who may" p="sm">
      <Title order={2} mb="xs">
        Who may …
      </Title>
      <Group gap="xs" align="flex-end">
        <Select
          label="Operation"
          data={operations.map((value) => ({ value, label: operationWords[value] }))}
          value={operation}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, operation: value ?? undefined }) })
          }
          w="9rem"
        />
        <SearchField
          label="Unit"
          placeholder="urn:dmb:dp:…"
          value={unit}
          onSearch={(text) =>
            void navigate({ search: (previous) => ({ ...previous, unit: text }), replace: true })
          }
          style={{ flex: "1 1 16rem" }}
        />
        <Text size="sm" pb={6}>
          in {environment}
        </Text>
      </Group>
      <div aria-live="polite">
        {unit !== "" && <Answer unit={unit} environment={environment} operation={operation} />}
      </div>
    </Paper>
  );
};

const verdicts = {
  allow: "You may",
  approval: "You may ask: somebody approves it",
  deny: "You may not",
} as const;

const Answer = (question: Question): ReactNode => (
  <div style={{ marginTop: "var(--mantine-spacing-sm)" }}>
    <Loaded query={useQuery(whoMayQuery(question))} what="find out who may">
      {({ verdict, rule, owners, whoMay }) => (
        <Text size="sm" component="div">
          <StatusBadge status={verdict}>{verdicts[verdict]}</StatusBadge> by the rule “{rule}”.
          {whoMay.length > 0 && (
            <>
              {" "}
              {verdict === "approval" ? "Approved by" : "Open to"} <People refs={whoMay} />.
            </>
          )}{" "}
          Owners: <People refs={owners} none="not known" />.
        </Text>
      )}
    </Loaded>
  </div>
);
