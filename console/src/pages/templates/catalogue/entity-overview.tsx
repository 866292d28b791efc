/** The values of an entity: as a custom view says for data products and output ports, else those that every entity has. */
import { Anchor, Group, Text, Title } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import type { Entity } from "../../../api/entity.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { LoadingView } from "../../../parts/states/views.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { textsOf } from "../form/json.ts";
import { safeUrl } from "../runs/safe-url.ts";
import { ValueText } from "../wizard/value-list.tsx";
import { wordsOfType } from "./relations.tsx";
import { valueAt } from "./value-at.ts";
import classes from "./catalogue.module.css";

type Item = BuilderComponents["schemas"]["CustomViewItem"];

const viewQuery = (pageId: string) =>
  queryOptions({
    queryKey: [...keys.entities, "view", pageId],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(api.builder.GET("/api/builder/custom-views/{pageId}", { params: { path: { pageId } }, signal })),
  });

export interface EntityOverviewProps {
  entity: Entity;
  annotations: Record<string, unknown>;
}

export const EntityOverview = ({ entity, annotations }: EntityOverviewProps): ReactNode => {
  const pageId = pageOf(entity);
  const view = useQuery({ ...viewQuery(pageId ?? ""), enabled: pageId !== null });
  if (pageId !== null && view.isPending) return <LoadingView />;
  const own = { grid: ownItems, side: [] };
  const { grid, side } = pageId === null ? own : (view.data ?? own);
  const source = annotations["backstage.io/managed-by-location"];
  return (
    <div className={classes["overview"]}>
      <Items entity={entity} items={grid} />
      <div>
        <Items entity={entity} items={side} />
        <MainRelations entity={entity} />
        {typeof source === "string" && (
          <>
            <Title order={2} mt="sm" mb={2} fz="sm">
              Source
            </Title>
            <Text size="sm" className={classes["plain"]}>
              {source}
            </Text>
          </>
        )}
      </div>
    </div>
  );
};

export const pageOf = ({ kind, spec }: Entity): string | null => {
  if (kind.toLowerCase() === "system") return "dataProductPage";
  const isPort = kind.toLowerCase() === "component" && /^output-?port$/i.test(String(spec?.["type"]));
  return isPort ? "outputPortPage" : null;
};

const mostRelations = 8;

/** The first of them; all are in their tab. */
const MainRelations = ({ entity }: { entity: Entity }): ReactNode => {
  const relations = (entity.relations ?? []).filter(({ type }) => type !== "ownedBy");
  if (relations.length === 0) return null;
  return (
    <dl className={classes["items"]} aria-label="Relations">
      {relations.slice(0, mostRelations).map(({ type, targetRef }) => (
        <div key={`${type} ${targetRef}`}>
          <dt>{wordsOfType(type)}</dt>
          <dd>
            <PageLink to="/catalogue/$entityRef" params={{ entityRef: targetRef }} size="sm">
              {targetRef}
            </PageLink>
          </dd>
        </div>
      ))}
    </dl>
  );
};

const text = (label: string, path: string): Item => ({ label, path, kind: "text" });

const ownItems: readonly Item[] = [
  text("Name", "metadata.name"),
  text("Type", "spec.type"),
  text("Owner", "spec.owner"),
  text("System", "spec.system"),
  text("Domain", "spec.domain"),
  text("Lifecycle", "spec.lifecycle"),
  { label: "Tags", path: "metadata.tags", kind: "list" },
];

/** What an entity does not have is not shown. */
const Items = ({ entity, items }: { entity: Entity; items: readonly Item[] }): ReactNode => {
  const present = items.flatMap((item) => {
    const value = valueAt(entity, item.path);
    return value === undefined || value === null || value === "" ? [] : [{ item, value }];
  });
  return (
    <dl className={classes["items"]}>
      {present.map(({ item, value }) => (
        <div key={`${item.label} ${item.path}`}>
          <dt>{item.label}</dt>
          <dd>
            <ItemValue item={item} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

const reference = /^[a-z][a-z0-9-]*:[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;

const ItemValue = ({ item: { kind, path }, value }: { item: Item; value: unknown }): ReactNode => {
  const url = kind === "link" ? safeUrl(value) : null;
  if (url !== null)
    return (
      <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
        {String(value)}
      </Anchor>
    );
  if (kind === "date" && typeof value === "string" && !Number.isNaN(Date.parse(value)))
    return <TimeAgo at={value} />;
  if (kind === "list") return <Group gap="xs">{textsOf(value).join(", ")}</Group>;
  if (typeof value === "string" && path.startsWith("spec.") && reference.test(value))
    return (
      <PageLink to="/catalogue/$entityRef" params={{ entityRef: value }} size="sm">
        {value}
      </PageLink>
    );
  // Markdown is shown as it is written: it comes from anybody who can publish an entity.
  return <ValueText value={value} />;
};
