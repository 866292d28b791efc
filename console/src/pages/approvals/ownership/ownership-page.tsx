import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Person, WhoElseMay } from "../parts/people.tsx";
import { Section } from "../parts/section.tsx";
import { rulesQuery, type Rules } from "./queries.ts";
import { RulesTable } from "./rules-table.tsx";
import { WhoMay } from "./who-may.tsx";

const RulesEditor = lazy(async () => ({ default: (await import("./rules-editor.tsx")).RulesEditor }));

const route = getRouteApi("/ownership");

export const OwnershipPage = (): ReactNode => {
  const { edit } = route.useSearch();
  const query = useQuery(rulesQuery);
  const isOperator = useHasRole("operator", "admin");
  return (
    <>
      <PageHeader
        title="Ownership rules"
        description="Who may touch whose unit. They are tried from the first to the last; the first that fits decides."
      />
      {edit === undefined && <WhoMay />}
      <Loaded query={query} what="read the rules">
        {(rules) =>
          edit !== undefined && isOperator ? (
            <Suspense fallback={<LoadingView />}>
              <RulesEditor rules={rules} as={edit} />
            </Suspense>
          ) : (
            <AllRules rules={rules} isOperator={isOperator} />
          )
        }
      </Loaded>
    </>
  );
};

const AllRules = ({ rules, isOperator }: { rules: Rules; isOperator: boolean }): ReactNode => {
  const { configured, rules: stored, defaults, version, updatedAt, updatedBy } = rules;
  return (
    <>
      <Section title="First: of the configuration">
        <RulesTable
          label="Rules of the configuration"
          rules={configured}
          first={1}
          empty="The configuration has none."
        />
      </Section>
      <Section
        title="Then: kept here"
        actions={
          isOperator ? (
            <Group gap="xs">
              <ButtonLink to="/ownership" search={{ edit: "form" }}>
                Edit
              </ButtonLink>
              <ButtonLink to="/ownership" search={{ edit: "yaml" }} variant="subtle">
                Edit as YAML
              </ButtonLink>
            </Group>
          ) : (
            <WhoElseMay>Operators change them.</WhoElseMay>
          )
        }
      >
        <RulesTable
          label="Rules kept here"
          rules={stored}
          first={configured.length + 1}
          empty="None are kept here yet."
        />
        {version > 0 && (
          <Text size="xs" c="dimmed" mt={4}>
            Version {version}
            {updatedBy !== undefined && (
              <>
                , <Person of={updatedBy} />
              </>
            )}
            {updatedAt !== undefined && (
              <>
                , <TimeAgo at={updatedAt} />
              </>
            )}
          </Text>
        )}
      </Section>
      <Section title="Last: defaults">
        <RulesTable
          label="Default rules"
          rules={defaults}
          first={configured.length + stored.length + 1}
          empty="There are none."
        />
      </Section>
    </>
  );
};
