/** What can be done with an entity. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import type { Entity } from "../../../api/entity.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { entityFormsQuery } from "../queries.ts";
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

const RefreshButton = ({ entityRef }: { entityRef: string }): ReactNode => {
  const queries = useQueryClient();
  const refresh = useMutation({
    mutationFn: () => call(api.builder.POST("/api/catalog/refresh", { body: { entityRef } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...keys.entities, entityRef] }),
  });
  return (
    <Button
      loading={refresh.isPending}
      leftSection={<Icon name="refresh" size={14} />}
      title={refresh.error?.message}
      onClick={() => refresh.mutate()}
    >
      {refresh.isSuccess ? "It is read again" : refresh.isError ? "It could not be read" : "Read again"}
    </Button>
  );
};
