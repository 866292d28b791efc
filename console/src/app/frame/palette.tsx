import { Combobox, Group, Modal, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { entitiesOf, referenceOf, titleOf } from "../../api/entity.ts";
import { keys } from "../../api/keys.ts";
import { Icon, type IconName } from "../../parts/page/icon.tsx";
import { useOpenPages } from "./side-navigation.tsx";
import classes from "./palette.module.css";

interface Found {
  href: string;
  title: string;
  subtitle?: string;
  icon: IconName;
}

const waitMs = 150;
const maxFound = 8;

/** Goes to a page, or to what its name or id is typed of. */
export const Palette = ({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode => {
  const [text, setText] = useState("");
  const [isLeaving, setLeaving] = useState(false);
  const router = useRouter();
  // It has no dropdown to open: what is found is always there.
  const combobox = useCombobox({ opened: true });
  const groups = useFound(text.trim());
  const { selectFirstOption } = combobox;
  const isAny = groups.some(({ found }) => found.length > 0);
  const shown = groups.flatMap(({ found }) => found.map(({ href }) => href)).join(" ");
  useEffect(() => {
    // The dialog brings its content a frame after it is opened.
    const frame = requestAnimationFrame(() => selectFirstOption());
    return () => cancelAnimationFrame(frame);
  }, [opened, shown, selectFirstOption]);
  const close = (): void => {
    setText("");
    onClose();
  };
  const go = (href: string): void => {
    setLeaving(true);
    close();
    void router.navigate({ href });
  };
  return (
    <Modal
      opened={opened}
      // The heading of the page that is opened gets the focus then.
      returnFocus={!isLeaving}
      onEnterTransitionEnd={() => setLeaving(false)}
      onClose={close}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      centered={false}
      aria-label="Search and commands"
    >
      <Combobox store={combobox} onOptionSubmit={go}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            size="md"
            variant="unstyled"
            aria-label="Search"
            placeholder="A page, a unit, an entity …"
            leftSection={<Icon name="search" />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            className={classes["input"]}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes["options"]} aria-label="Found">
          {groups.map(
            ({ name, found }) => found.length > 0 && <PaletteGroup key={name} name={name} found={found} />,
          )}
          {!isAny && <Combobox.Empty>Nothing is called “{text}”.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
};

const PaletteGroup = ({ name, found }: { name: string; found: Found[] }): ReactNode => (
  <Combobox.Group label={name}>
    {found.map(({ href, title, subtitle, icon }) => (
      <Combobox.Option key={href} value={href}>
        <Group gap="sm" wrap="nowrap">
          <Icon name={icon} />
          <Text size="sm" span truncate>
            {title}
          </Text>
          {subtitle !== undefined && (
            <Text size="xs" span className={classes["subtitle"]} truncate>
              {subtitle}
            </Text>
          )}
        </Group>
      </Combobox.Option>
    ))}
  </Combobox.Group>
);

const useFound = (text: string): { name: string; found: Found[] }[] => {
  const pages = useOpenPages();
  const [asked] = useDebouncedValue(text, waitMs);
  const isAsked = asked.length > 1;
  const units = useQuery({
    queryKey: [...keys.units, "palette", asked],
    enabled: isAsked,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units", {
          params: { query: { search: asked, limit: maxFound } },
          signal,
        }),
      ),
  });
  const entities = useQuery({
    queryKey: [...keys.entities, "palette", asked],
    enabled: isAsked,
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/catalog/entities/by-query", {
          params: { query: { fullTextFilterTerm: asked, limit: maxFound, totalItems: "exclude" } },
          signal,
        }),
      ),
  });
  const words = text.toLowerCase();
  const ofPages = pages.filter(({ label, words: more = "" }) =>
    `${label} ${more}`.toLowerCase().includes(words),
  );
  const ids = new Map((units.data?.data ?? []).map((unit) => [unit.deploymentUnitId, unit]));
  return [
    { name: "Pages", found: ofPages.map(({ to, label, icon }) => ({ href: to, title: label, icon })) },
    {
      name: "Units",
      found: [...ids.values()].map((unit) => ({
        href: `/units/${encodeURIComponent(unit.deploymentUnitId)}`,
        title: unit.name ?? unit.deploymentUnitId,
        subtitle: unit.deploymentUnitId,
        icon: "units",
      })),
    },
    {
      name: "Catalogue",
      found: entitiesOf(entities.data?.items ?? []).map((entity) => ({
        href: `/catalogue/${encodeURIComponent(referenceOf(entity))}`,
        title: titleOf(entity),
        subtitle: referenceOf(entity),
        icon: "book",
      })),
    },
  ];
};
