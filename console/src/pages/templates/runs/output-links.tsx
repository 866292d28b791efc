/** What a run has made: entities, repositories, and what its template says. */
import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { provisionOf } from "../catalogue/provision-link.ts";
import { isRecord, numbered, textOr, type Values } from "../form/json.ts";
import { linksOf, type OutputLink } from "./made-links.ts";
import classes from "./runs.module.css";

export const OutputLinks = ({ output }: { output: Values }): ReactNode => {
  const links = linksOf(output);
  const texts = (Array.isArray(output["text"]) ? output["text"] : []).filter(isRecord);
  if (links.length === 0 && texts.length === 0) return null;
  return (
    <section aria-label="What was made" className={classes["made"]}>
      <Title order={2} mb="xs">
        What was made
      </Title>
      <Stack gap={6}>
        {links.map((link) => (
          <MadeLink key={link.entityRef ?? link.url} link={link} />
        ))}
      </Stack>
      {numbered(texts).map(({ key, item: text }) => (
        <div key={key} className={classes["text"]}>
          <Text size="sm" fw={600}>
            {textOr(text["title"], "")}
          </Text>
          <Text size="sm" className={classes["plain"]}>
            {textOr(text["content"], "")}
          </Text>
        </div>
      ))}
    </section>
  );
};

const MadeLink = ({ link: { title, entityRef, url } }: { link: OutputLink }): ReactNode => {
  if (entityRef === null)
    return (
      <Anchor href={url ?? ""} target="_blank" rel="noreferrer" size="sm">
        <Group component="span" gap={4}>
          {title}
          <Icon name="external" size={13} />
        </Group>
      </Anchor>
    );
  const isSystem = entityRef.toLowerCase().startsWith("system:");
  return (
    <Group gap="sm">
      <PageLink to="/catalogue/$entityRef" params={{ entityRef }} size="sm" fw={550}>
        {title}
      </PageLink>
      {isSystem && (
        <ButtonLink to="/provision" search={provisionOf(entityRef)}>
          Provision
        </ButtonLink>
      )}
    </Group>
  );
};
