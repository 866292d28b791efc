import { Group, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { CodeView, JsonView } from "../../../parts/values/code-view.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Facts } from "../parts/facts.tsx";
import { Person } from "../parts/people.tsx";
import { Section } from "../parts/section.tsx";
import { countQuery, outcomes, type Policy } from "./queries.ts";

export const PolicyOverview = ({ policy }: { policy: Policy }): ReactNode => (
  <>
    {policy.description !== undefined && (
      <Text size="sm" mb="sm" maw="46rem">
        {policy.description}
      </Text>
    )}
    <Facts
      items={{
        "What to do about a violation": policy.advice,
        Severity: wordsOf(policy.severity),
        About: policy.resourceType ?? "every kind of resource",
        Environments: policy.environments.length === 0 ? "all" : policy.environments.join(", "),
        "Only where": policy.select,
        When: whenOf(policy),
        "When it cannot be evaluated": policy.onError === "block" ? "it blocks" : "it warns",
        Compares: policy.strategy === "previous_vs_current" ? "with what was deployed last" : undefined,
        Sees: policy.context === "global" ? "the whole unit" : "the resource alone",
        Tags: policy.tags.join(", "),
        Changed: (
          <span>
            <Person of={policy.updatedBy} />, <TimeAgo at={policy.updatedAt} />
          </span>
        ),
      }}
    />
    <Counts policy={policy} />
    <Section title={`The rule, ${policy.engine}`}>
      <Spec policy={policy} />
    </Section>
    {policy.thresholds.length > 0 && (
      <Section title="Ranges">
        <Facts
          items={Object.fromEntries(
            policy.thresholds.map(({ label, from, to }) => [label, `${from ?? "…"} to ${to ?? "…"}`]),
          )}
        />
      </Section>
    )}
  </>
);

const whenOf = ({ timing, trigger, schedule }: Policy): string => {
  if (trigger === "passive") return "when a result is pushed";
  if (timing === "deployment") return "before each deployment";
  return schedule === undefined ? "while it runs" : `while it runs, at ${schedule} (UTC)`;
};

/** An expression or script as it was written, anything else as data. */
const Spec = ({ policy }: { policy: Policy }): ReactNode => {
  const { spec } = policy;
  const text = ["assert", "value", "script", "prompt"]
    .map((key) => (key in spec ? Reflect.get(spec, key) : undefined))
    .find((each): each is string => typeof each === "string");
  return text !== undefined && Object.keys(spec).length === 1 ? (
    <CodeView code={text} label="The rule" />
  ) : (
    <JsonView value={spec} label="The rule" />
  );
};

/** How many results of each outcome there are, each as a link to them. */
const Counts = ({ policy }: { policy: Policy }): ReactNode => {
  const { environment } = useEnvironment();
  const counts = useQueries({
    queries: outcomes.map((outcome) => countQuery({ policy: policy.id, environment, outcome })),
  });
  return (
    <Section
      title={`Results in ${environment}`}
      actions={
        <ButtonLink to="/exceptions" search={{ policy: policy.id }} variant="subtle">
          Exceptions from it
        </ButtonLink>
      }
    >
      <Group gap="md">
        {outcomes.map((outcome, index) => (
          <PageLink
            key={outcome}
            to="/policies/$policyId"
            params={{ policyId: policy.id }}
            search={{ tab: "results", outcome }}
            size="sm"
          >
            <StatusBadge status={outcome} /> {counts[index]?.data?.count ?? "…"}
          </PageLink>
        ))}
      </Group>
    </Section>
  );
};
