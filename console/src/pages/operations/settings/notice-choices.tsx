import { Stack, Switch, Text, Title } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { wordsOf } from "../../../parts/values/text.ts";

type Choices = CoordinatorComponents["schemas"]["NoticeChoices"];
type Choice = CoordinatorComponents["schemas"]["NoticeChoice"];

const choicesQuery = queryOptions({
  queryKey: [...keys.notices, "own"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/notice-choices", { signal })),
});

const conflict = 409;

/** Only people choose: a service gets no notices, and the server says so with a conflict. */
export const NoticeChoices = (): ReactNode => {
  const query = useQuery(choicesQuery);
  return (
    <section aria-labelledby="notices">
      <Title order={2} id="notices" mb="xs">
        What I am told by mail
      </Title>
      {statusOf(query.error) === conflict ? (
        <Text size="sm">{query.error?.message}</Text>
      ) : (
        <Loaded query={query} what="read your choices">
          {(choices) => <ChoiceList choices={choices} />}
        </Loaded>
      )}
    </section>
  );
};

const ChoiceList = ({ choices: { email, choices } }: { choices: Choices }): ReactNode => {
  const queryClient = useQueryClient();
  const choosing = useMutation({
    mutationFn: ({ kind, wanted }: Pick<Choice, "kind" | "wanted">) =>
      call(
        api.coordinator.PUT("/api/coordinator/v1/notice-choices", { body: { choices: [{ kind, wanted }] } }),
      ),
    onSuccess: (answer) => queryClient.setQueryData(choicesQuery.queryKey, answer),
  });
  const isAny = choices.some(({ sent }) => sent);
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {email === null ? "The catalogue has no e-mail address of yours." : `Mails go to ${email}.`}
        {!isAny && " This server sends no mails; the choices hold once it does."}
      </Text>
      {choices.map(({ kind, wanted, sent }) => (
        <Switch
          key={kind}
          size="sm"
          label={meanings[kind] ?? wordsOf(kind)}
          {...(isAny && !sent && { description: "This server sends no mails about it." })}
          checked={
            choosing.isPending && choosing.variables.kind === kind ? choosing.variables.wanted : wanted
          }
          onChange={({ currentTarget }) => choosing.mutate({ kind, wanted: currentTarget.checked })}
        />
      ))}
      {choosing.error !== null && <ErrorView error={choosing.error} what="store your choice" />}
    </Stack>
  );
};

const meanings: Partial<Record<Choice["kind"], string>> = {
  ACCESS_REQUEST: "Access requests that I may decide",
  DEPLOYMENT_APPROVAL: "Deployments that I may approve",
  DATA_REMOVAL_APPROVAL: "Removals of data that I may approve",
  HOOK: "Hooks that a third party has not answered",
  TOOL_APPROVAL: "Tool calls of my assistant that wait for me",
  EXCEPTION: "Exceptions from policies that I may decide",
  RECONCILE: "Drift that I am asked about",
  UNKNOWN_OUTCOME: "Calls of adapters of unknown outcome",
  PLAN_FAILED: "My plans that failed",
  PLAN_ENDED: "My plans that ended otherwise",
};
