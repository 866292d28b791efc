import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PlinthError } from "plinth-client";
import { useState, type ReactNode } from "react";
import { keys } from "../../../api/keys.ts";
import { CodeEditor } from "../../../parts/code/code-editor.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { Conflict } from "../parts/conflict.tsx";
import { policyQuery, type ChangedPolicy, type NewPolicy, type Policy } from "./queries.ts";
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

/** The next version of a policy. One that was saved meanwhile is shown beside it, and not overwritten unseen. */
export const PolicyEditor = ({ policy, onClose }: { policy: Policy; onClose: () => void }): ReactNode => {
  const queries = useQueryClient();
  const [initial, setInitial] = useState<string | null>(null);
  // The editor keeps the version that it was opened with, so that a newer one is a conflict.
  const [base, setBase] = useState(policy);
  const [newer, setNewer] = useState<Newer | null>(null);
  if (initial === null) void loadYaml().then(({ toYaml }) => setInitial(toYaml(contentOf(base))));
  const save = async (content: object): Promise<void> => {
    try {
      await changePolicy(base.id, { ...(content as ChangedPolicy), version: base.version });
      onClose();
    } catch (failure) {
      if (!(failure instanceof PlinthError) || failure.code !== "CGP_VERSION_STALE") throw failure;
      const stored = await queries.fetchQuery({ ...policyQuery(base.id), staleTime: 0 });
      setNewer({ policy: stored, text: (await loadYaml()).toYaml(contentOf(stored)) });
    }
  };
  const rebase = ({ policy: stored }: Newer): void => {
    setBase(stored);
    setNewer(null);
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Version {base.version + 1}, made of version {base.version}. It counts as soon as it is saved.
      </Text>
      {initial !== null && (
        <Editor
          initial={initial}
          verb={`Save version ${base.version + 1}`}
          save={save}
          onClose={onClose}
          renderConflict={
            newer === null
              ? undefined
              : (mine) => (
                  <Conflict
                    version={base.version}
                    newer={newer.policy}
                    theirs={newer.text}
                    mine={mine}
                    onRebase={() => rebase(newer)}
                  />
                )
          }
        />
      )}
    </>
  );
};

/** A version that was saved while the editor was open, with its content as YAML. */
interface Newer {
  policy: Policy;
  text: string;
}

interface EditorProps {
  initial: string;
  verb: string;
  save: (content: object) => Promise<void>;
  onClose: () => void;
  /** In the way of saving, given the text. */
  renderConflict?: ((text: string) => ReactNode) | undefined;
}

const Editor = ({ initial, verb, save, onClose, renderConflict }: EditorProps): ReactNode => {
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
      {renderConflict?.(text)}
      {saving.error !== null && <ErrorView error={saving.error} what="save the policy" />}
      <Group gap="xs">
        <Button
          variant="filled"
          loading={saving.isPending}
          disabled={renderConflict !== undefined}
          onClick={() => saving.mutate()}
        >
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </Group>
    </Stack>
  );
};
