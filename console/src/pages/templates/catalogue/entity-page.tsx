import { Alert, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { titleOf, type Entity } from "../../../api/entity.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { CodeView } from "../../../parts/values/code-view.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { textOr } from "../form/json.ts";
import { entityQuery } from "../queries.ts";
import { EntityActions } from "./entity-actions.tsx";
import { EntityOverview, pageOf } from "./entity-overview.tsx";
import { Relations } from "./relations.tsx";
import { yamlOf } from "./yaml.ts";

const route = getRouteApi("/catalogue/$entityRef");
const orphan = "backstage.io/orphan";

export const EntityPage = (): ReactNode => {
  const { entityRef } = route.useParams();
  const query = useQuery(entityQuery(entityRef));
  if (query.data == null)
    return (
      <>
        <PageHeader title={entityRef.split("/").at(-1) ?? entityRef} />
        <Loaded query={query} what="read this entity">
          {() => null}
        </Loaded>
      </>
    );
  return <EntityView entity={query.data} entityRef={entityRef} />;
};

const EntityView = ({ entity, entityRef }: { entity: Entity; entityRef: string }): ReactNode => {
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const annotations = (entity.metadata as { annotations?: Record<string, unknown> }).annotations ?? {};
  return (
    <>
      <PageHeader
        title={titleOf(entity)}
        description={
          <>
            <div>
              {entity.kind}
              {typeof entity.spec?.["type"] === "string" && `, ${entity.spec["type"]}`} ·{" "}
              <IdText id={entityRef} length={60} />
            </div>
            {pageOf(entity) === null && <Text size="sm">{textOr(entity.metadata.description, "")}</Text>}
          </>
        }
        actions={<EntityActions entity={entity} entityRef={entityRef} />}
      />
      {annotations[orphan] === "true" && (
        <Alert color="warn" mb="md" icon={<Icon name="warning" />} title="Its file is gone">
          The entity stays until its location is unregistered or somebody deletes it.
        </Alert>
      )}
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({
              ...previous,
              tab: value === "relations" || value === "yaml" ? value : undefined,
            }),
          })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="relations">Relations ({entity.relations?.length ?? 0})</Tabs.Tab>
          <Tabs.Tab value="yaml">YAML</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <EntityOverview entity={entity} annotations={annotations} />
        </Tabs.Panel>
        <Tabs.Panel value="relations">
          <Relations entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="yaml">
          <CodeView code={yamlOf(entity)} label={`YAML of ${entityRef}`} maxHeight="70vh" />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
