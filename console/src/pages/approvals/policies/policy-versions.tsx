import { Button, Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { DiffView } from "../../../parts/code/diff-view.tsx";
import { toYaml } from "../../../parts/code/yaml.ts";
import { Loaded } from "../../../parts/states/views.tsx";
import { CodeView } from "../../../parts/values/code-view.tsx";
import { momentText, referenceText } from "../../../parts/values/text.ts";
import { PolicyEditor } from "./policy-editor.tsx";
import { versionsQuery, type Policy, type PolicyVersion } from "./queries.ts";

const route = getRouteApi("/policies/$policyId");

/** Two versions beside each other, and the making of the next one. */
export const PolicyVersions = ({ policy }: { policy: Policy }): ReactNode => {
  const isOperator = useHasRole("operator", "admin");
  const [isEditing, setEditing] = useState(false);
  const query = useQuery(versionsQuery(policy.id));
  if (isEditing) return <PolicyEditor policy={policy} onClose={() => setEditing(false)} />;
  return (
    <>
      {isOperator && (
        <Button mb="sm" onClick={() => setEditing(true)}>
          New version …
        </Button>
      )}
      <Loaded query={query} what="list its versions">
        {({ data }) => <Compared versions={data} />}
      </Loaded>
    </>
  );
};

const titleOf = ({ version, createdAt, createdBy }: PolicyVersion): string =>
  `${version}, ${momentText(Date.parse(createdAt))}, ${referenceText(createdBy)}`;

const Compared = ({ versions }: { versions: readonly PolicyVersion[] }): ReactNode => {
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const [newest, second] = versions;
  const later = versions.find(({ version }) => version === to) ?? newest;
  const earlier = versions.find(({ version }) => version === from) ?? second;
  if (later === undefined) return null;
  if (earlier === undefined)
    return (
      <>
        <Text size="sm" c="dimmed" mb="xs">
          It has one version: {titleOf(later)}
        </Text>
        <CodeView code={toYaml(later.policy)} label="Version 1" />
      </>
    );
  const choices = versions.map((each) => ({ value: String(each.version), label: titleOf(each) }));
  return (
    <>
      <Group gap="xs" mb="sm">
        <Select
          label="From version"
          data={choices}
          value={String(earlier.version)}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, from: Number(value) }) })
          }
          w="20rem"
        />
        <Select
          label="To version"
          data={choices}
          value={String(later.version)}
          onChange={(value) => void navigate({ search: (previous) => ({ ...previous, to: Number(value) }) })}
          w="20rem"
        />
      </Group>
      <DiffView
        label="Changes of the policy"
        before={toYaml(earlier.policy)}
        after={toYaml(later.policy)}
        beforeTitle={`version ${earlier.version}`}
        afterTitle={`version ${later.version}`}
      />
    </>
  );
};
