/** What can be done with an entity. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { entityPath, type Entity } from "../../../api/entity.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { entityFormsQuery } from "../queries.ts";
import { readAgain, type ReadAgain } from "./read-again.ts";
import { UnitButton } from "./unit-button.tsx";
import { provisionOf } from "./provision-link.ts";

export const EntityActions = ({ entity, entityRef }: { entity: Entity; entityRef: string }): ReactNode => {
  const kind = entity.kind.toLowerCase();
  return (
    <>
      {kind === "template" && (
        <ButtonLink to="/templates/$templateRef" params={{ templateRef: entityRef }} variant="filled">
          Use this template
        </ButtonLink>
      )}
      {(kind === "system" || kind === "component") && <EditLinks entityRef={entityRef} />}
      {kind === "system" && (
        <>
          <UnitButton systemRef={entityRef} />
          <ButtonLink to="/templates">Templates</ButtonLink>
          <ButtonLink to="/provision" search={provisionOf(entityRef)} variant="filled">
            Provision
          </ButtonLink>
        </>
      )}
      <RefreshButton entityRef={entityRef} />
    </>
  );
};

const EditLinks = ({ entityRef }: { entityRef: string }): ReactNode => {
  const { data } = useQuery(entityFormsQuery(entityRef));
  const mayEdit = useHasRole("developer", "operator", "admin", "service");
  if (!mayEdit) return null;
  return data?.data.map(({ templateRef, title, description }) => (
    <ButtonLink
      key={templateRef}
      to="/templates/$templateRef"
      params={{ templateRef }}
      search={{ entity: entityRef }}
      title={description}
    >
      {title}
    </ButtonLink>
  ));
};

const lookAgainMs = 1000;

const useReadAgain = (entityRef: string) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      readAgain({
        location: () =>
          call(
            api.builder.GET("/api/catalog/locations/by-entity/{kind}/{namespace}/{name}", {
              params: { path: entityPath(entityRef) },
            }),
          ),
        request: () => call(api.builder.POST("/api/catalog/refresh", { body: { entityRef } })),
        pause: () => new Promise((resolve) => setTimeout(resolve, lookAgainMs)),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...keys.entities, entityRef] }),
  });
};

const RefreshButton = ({ entityRef }: { entityRef: string }): ReactNode => {
  const { mutate, isPending, data, error } = useReadAgain(entityRef);
  return (
    <Stack gap={2} align="flex-end">
      <Button loading={isPending} leftSection={<Icon name="refresh" size={14} />} onClick={() => mutate()}>
        Read again
      </Button>
      <Text size="xs" role="status" c={error !== null || data?.outcome === "failed" ? "bad" : "dimmed"}>
        {isPending
          ? "Its files are being read."
          : error !== null
            ? `It could not be read again: ${error.message}`
            : data !== undefined && readWords(data)}
      </Text>
    </Stack>
  );
};

const readWords = (read: ReadAgain): string => {
  if (read.outcome === "waits") return "It has not been read yet. A worker reads it when it is free.";
  const [first, ...others] = read.problems.map(({ where, message }) => `${where}: ${message}`);
  const found = first === undefined ? "" : `${first}${others.length === 0 ? "" : ` (${others.length} more)`}`;
  if (read.outcome === "failed") return `It could not be read: ${found}`;
  return found === "" ? "It was read again." : `It was read again, with problems: ${found}`;
};
