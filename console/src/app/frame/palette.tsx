import { Combobox, Group, Modal, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { Icon, type IconName } from "../../parts/page/icon.tsx";
import { addressOf, isShown, kindWords, searchQuery, type SearchGroup } from "./search.ts";
import { useOpenPages } from "./side-navigation.tsx";
import classes from "./palette.module.css";

interface Found {
  /** An address, or a command's name. */
  value: string;
  title: string;
  subtitle?: string;
  icon: IconName;
}

interface FoundGroup {
  name: string;
  found: Found[];
  /** Why it could not be searched. */
  unavailable?: string;
}

const waitMs = 120;
const shownPages = 6;
const environmentCommand = "environment ";

/** Goes to a page, to anything that is found by its name or id, or to another environment. */
export const Palette = ({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode => {
  const [text, setText] = useState("");
  const { focusField, giveBack } = useFocusOfField();
  const router = useRouter();
  const { choose } = useEnvironment();
  // It has no dropdown to open: what is found is always there.
  const combobox = useCombobox({ opened: true });
  const { groups, isSearching } = useFound(text.trim());
  const { selectFirstOption } = combobox;
  const values = groups.flatMap(({ found }) => found.map(({ value }) => value));
  const order = values.join(" ");
  useEffect(() => {
    // The dialog brings its content a frame after it is opened.
    const frame = requestAnimationFrame(() => selectFirstOption());
    return () => cancelAnimationFrame(frame);
  }, [opened, order, selectFirstOption]);
  const leave = (): void => {
    setText("");
    onClose();
  };
  const close = (): void => {
    leave();
    giveBack();
  };
  const go = (value: string): void => {
    if (value.startsWith(environmentCommand)) {
      close();
      choose(value.slice(environmentCommand.length));
    } else {
      // The heading of the page that is opened gets the focus then.
      leave();
      void router.navigate({ href: value });
    }
  };
  return (
    <Modal
      opened={opened}
      returnFocus={false}
      onClose={close}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      centered={false}
      attributes={{ content: { "aria-label": "Search and commands" } }}
    >
      <Combobox store={combobox} onOptionSubmit={go}>
        <Combobox.EventsTarget>
          <TextInput
            ref={focusField}
            data-autofocus
            size="md"
            variant="unstyled"
            aria-label="Search"
            placeholder="A unit, a plan, an adapter, a page …"
            leftSection={<Icon name="search" />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            // The list of what is found, which is always open, keeps Escape from the dialog.
            onKeyDown={({ key, nativeEvent }) => {
              if (key === "Escape" && !nativeEvent.isComposing) close();
            }}
            className={classes["input"]}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes["options"]} aria-label="Found">
          {groups.map((group) => (
            <PaletteGroup key={group.name} group={group} />
          ))}
          {values.length === 0 && (
            <Combobox.Empty>{isSearching ? "Searching …" : `Nothing is called “${text}”.`}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox>
      <div role="status" className={classes["foot"]}>
        {isSearching ? "Searching" : `${values.length} found`} · ↑ ↓ choose · Enter opens · Esc closes
      </div>
    </Modal>
  );
};

/**
 * Gives the field the focus as soon as it is there, and gives it back to the element that had it before when the dialog is closed. The
 * dialog itself would focus the field a moment later, and the keys that are pressed until then would be lost.
 */
const useFocusOfField = () => {
  const before = useRef<Element | null>(null);
  const focusField = useCallback((field: HTMLInputElement | null): void => {
    if (field === null) return;
    before.current = document.activeElement;
    field.focus();
  }, []);
  const giveBack = (): void => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  return { focusField, giveBack };
};

const PaletteGroup = ({ group: { name, found, unavailable } }: { group: FoundGroup }): ReactNode =>
  (found.length > 0 || unavailable !== undefined) && (
    <Combobox.Group label={name}>
      {unavailable !== undefined && (
        <Text size="xs" c="dimmed" px="xs" py={4}>
          {unavailable}
        </Text>
      )}
      {found.map(({ value, title, subtitle, icon }) => (
        <Combobox.Option key={value} value={value}>
          <Group gap="sm" wrap="nowrap">
            <Icon name={icon} />
            <Text size="sm" span truncate className={classes["title"]}>
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

const useFound = (text: string): { groups: FoundGroup[]; isSearching: boolean } => {
  const pages = useOpenPages();
  const { environment, environments } = useEnvironment();
  const [asked] = useDebouncedValue(text, waitMs);
  const query = useQuery({ ...searchQuery(asked), placeholderData: keepPreviousData });
  const found = text === "" ? [] : (query.data?.data ?? []);
  const words = text.toLowerCase();
  const fits = (title: string): boolean => title.toLowerCase().includes(words);
  const ofPages = pages
    .filter(({ label, words: more = "" }) => fits(`${label} ${more}`))
    .map(({ to, label, icon }): Found => ({ value: to, title: label, icon }));
  const commands: Found[] = [
    ...environments
      .filter((name) => name !== environment)
      .map((name): Found => ({
        value: environmentCommand + name,
        title: `Switch to ${name}`,
        icon: "right",
      })),
    { value: "/?tour=1", title: "Take the tour", icon: "book" },
  ];
  const groups: FoundGroup[] = [
    // Where nothing is typed yet, all pages are offered; what is typed is rather the name of a thing.
    ...(text === "" ? [{ name: "Pages", found: ofPages }] : found.flatMap(groupOf)),
    ...(text === "" ? [] : [{ name: "Pages", found: ofPages.slice(0, shownPages) }]),
    { name: "Commands", found: commands.filter(({ title }) => fits(title)) },
  ];
  return { groups, isSearching: text !== "" && (asked !== text || query.isFetching) };
};

const groupOf = ({ kind, items, more, unavailable }: SearchGroup): FoundGroup[] => {
  if (!isShown(kind)) return [];
  const { name, icon } = kindWords[kind];
  const found = items.flatMap((item): Found[] => {
    const value = addressOf(item, kind);
    if (value === null) return [];
    return [{ value, title: item.title, icon, ...(item.subtitle !== null && { subtitle: item.subtitle }) }];
  });
  return [
    {
      name: more ? `${name}, the best of more` : name,
      found,
      ...(unavailable !== null && { unavailable }),
    },
  ];
};
