import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { CodeEditor } from "../../../parts/code/code-editor.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import type { ChangedPolicy, NewPolicy, Policy } from "./queries.ts";
import { changePolicy, createPolicy } from "./writes.ts";

const first = `id: output-ports-have-owners
name: Output ports have owners
description: ""
advice: Name who answers questions about the data.
kind: policy
severity: warning
resourceType: outputport
engine: cel
spec:
  assert: has(resource.dataOwner)
timing: deployment
trigger: active
`;

/** What is not part of a version, or is only read. */
const read = new Set([
  "id",
  "version",
  "status",
  "graceUntil",
  "environment",
  "interactionType",
  "externalUrl",
  "governanceAgentSpec",
  "createdAt",
  "createdBy",
  "updatedAt",
  "updatedBy",
]);

const contentOf = (policy: Policy): object =>
  Object.fromEntries(Object.entries(policy).filter(([key]) => !read.has(key)));

const loadYaml = () => import("../../../parts/code/yaml.ts");

export const NewPolicyPage = (): ReactNode => {
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="New policy" description="It begins as a draft, which is not evaluated." />
      <Editor
        initial={first}
        verb="Create the draft"
        save={async (content) => {
          const { id } = await createPolicy(content as NewPolicy);
          await navigate({ to: "/policies/$policyId", params: { policyId: id } });
        }}
        onClose={() => void navigate({ to: "/policies" })}
      />
    </>
  );
};

/** The next version of a policy. Refused where somebody has made one meanwhile. */
export const PolicyEditor = ({ policy, onClose }: { policy: Policy; onClose: () => void }): ReactNode => {
  const [initial, setInitial] = useState<string | null>(null);
  // The editor keeps the version that it was opened with, so that a newer one is a conflict and not overwritten.
  const [opened] = useState(policy);
  if (initial === null) void loadYaml().then(({ toYaml }) => setInitial(toYaml(contentOf(opened))));
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Version {opened.version + 1}, made of version {opened.version}. It counts as soon as it is saved.
      </Text>
      {initial !== null && (
        <Editor
          initial={initial}
          verb={`Save version ${opened.version + 1}`}
          save={async (content) => {
            await changePolicy(opened.id, { ...(content as ChangedPolicy), version: opened.version });
            onClose();
          }}
          onClose={onClose}
        />
      )}
    </>
  );
};

interface EditorProps {
  initial: string;
  verb: string;
  save: (content: object) => Promise<void>;
  onClose: () => void;
}

const Editor = ({ initial, verb, save, onClose }: EditorProps): ReactNode => {
  const queries = useQueryClient();
  const [text, setText] = useState(initial);
  const saving = useMutation({
    mutationFn: async () => {
      const { fromYaml } = await loadYaml();
      const content = fromYaml(text);
      if (typeof content !== "object" || content === null)
        throw new Error("The text is not a policy: it has no fields.");
      await save(content);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.policies }),
  });
  return (
    <Stack gap="sm">
      <CodeEditor initial={initial} onChange={setText} label="Policy as YAML" />
      {saving.error !== null && <ErrorView error={saving.error} what="save the policy" />}
      <Group gap="xs">
        <Button variant="filled" loading={saving.isPending} onClick={() => saving.mutate()}>
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </Group>
    </Stack>
  );
};
