/** What an edit changes, and its acceptance. */
import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { CodeView } from "../../../parts/values/code-view.tsx";
import { textOr, textsOf } from "../form/json.ts";
import type { Instantiation } from "../queries.ts";

export const EditResult = ({ run }: { run: Instantiation }): ReactNode => {
  const { output, entityRef, status } = run;
  if (entityRef === null || status !== "completed") return null;
  const patch = textOr(output["patch"], "");
  if (patch === "")
    return (
      <Alert color="gray" icon={<Icon name="check" />} title="Nothing had to change">
        The entity is like that already.
      </Alert>
    );
  const branch = textOr(output["branch"], "");
  const target = textOr(output["targetBranch"], "");
  const leftOut = textsOf(output["leftOut"]);
  return (
    <section aria-label="The change">
      <Title order={2} mb={4}>
        The change
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {textsOf(output["changedFiles"]).join(", ")}
        {branch !== "" && ` on the branch ${branch}`}
      </Text>
      {leftOut.length > 0 && (
        <Alert color="warn" mb="xs" icon={<Icon name="warning" />} title="Left out">
          {leftOut.join(", ")}
        </Alert>
      )}
      <CodeView code={patch} label="patch" />
      {branch !== "" && branch !== target && <Acceptance run={run} target={target} />}
    </section>
  );
};

const Acceptance = ({ run: { id }, target }: { run: Instantiation; target: string }): ReactNode => {
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: () =>
      call(
        api.builder.POST("/api/builder/templates/tasks/{taskId}/accept", {
          params: { path: { taskId: id } },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keys.entities }),
        queries.invalidateQueries({ queryKey: keys.templates }),
      ]),
  });
  if (accept.isSuccess)
    return (
      <Alert color="good" mt="sm" icon={<Icon name="check" />} title="Accepted" role="status">
        <Group gap="sm">
          <span>
            {accept.data.branch} has the change. <EntityLink entityRef={accept.data.entityRef} /> is read
            again.
          </span>
        </Group>
      </Alert>
    );
  return (
    <>
      <Group mt="sm" gap="xs">
        <Button variant="filled" loading={accept.isPending} onClick={() => accept.mutate()}>
          Accept into {target === "" ? "its branch" : target}
        </Button>
      </Group>
      {accept.error !== null && <ErrorView error={accept.error} what="accept the change" />}
    </>
  );
};

const EntityLink = ({ entityRef }: { entityRef: string }): ReactNode => (
  <PageLink to="/catalogue/$entityRef" params={{ entityRef }}>
    {entityRef}
  </PageLink>
);
