import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Entity } from "../../../api/entity.ts";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView } from "../../../parts/states/views.tsx";
import classes from "./catalogue.module.css";

/** `ownedBy` is read as `Owned by`. */
export const wordsOfType = (type: string): string => {
  const words = type.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const Relations = ({ entity }: { entity: Entity }): ReactNode => {
  const relations = entity.relations ?? [];
  if (relations.length === 0) return <EmptyView title="It has no relations" icon="book" />;
  return [...Map.groupBy(relations, ({ type }) => type)].map(([type, own]) => (
    <section key={type} aria-label={wordsOfType(type)} className={classes["relation"]}>
      <Title order={2} mb={4} fz="sm">
        {wordsOfType(type)}
      </Title>
      <ul>
        {own.map(({ targetRef }) => (
          <li key={targetRef}>
            <PageLink to="/catalogue/$entityRef" params={{ entityRef: targetRef }} size="sm">
              {targetRef}
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  ));
};
