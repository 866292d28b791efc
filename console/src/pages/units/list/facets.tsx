import { Button, Collapse, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { kindText, shortReference } from "../names.ts";
import type { UnitStatusWord } from "../statuses.ts";
import classes from "./list.module.css";
import { namesOfValues } from "./facet-names.ts";
import { facetsQuery, type UnitFilter } from "./queries.ts";

const route = getRouteApi("/units");

/** On a phone they are behind a button, so that units come first. */
export const Facets = (): ReactNode => {
  const isPhone = useMediaQuery("(max-width: 48em)") ?? false;
  const [isOpen, { toggle }] = useDisclosure(false);
  const chosen = countOf(route.useSearch());
  if (!isPhone) return <FacetGroups />;
  return (
    <div className={classes["phoneFacets"]}>
      <Button
        fullWidth
        onClick={toggle}
        aria-expanded={isOpen}
        leftSection={<Icon name="settings" size={14} />}
      >
        {chosen === 0 ? "Filters" : `Filters: ${chosen}`}
      </Button>
      <Collapse expanded={isOpen}>
        <FacetGroups />
      </Collapse>
    </div>
  );
};

const countOf = ({ status, in: environments, owner, domain, kind }: UnitFilter): number =>
  (status?.length ?? 0) +
  (environments?.length ?? 0) +
  [owner, domain, kind].filter((each) => each !== undefined).length;

interface FacetProps {
  title: string;
  values: readonly { value: string; count: number }[];
  chosen: readonly string[];
  nameOf?: (value: string) => string;
  onToggle: (value: string) => void;
}

const FacetGroups = (): ReactNode => {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const facets = useQuery(facetsQuery(filter)).data?.facets;
  const set = (change: UnitFilter): void =>
    void navigate({
      search: (previous) => dropEmpty({ ...previous, ...change }),
      replace: true,
      resetScroll: false,
    });
  const one = (key: "owner" | "domain" | "kind", title: string, nameOf?: (value: string) => string) => (
    <Facet
      title={title}
      values={facets?.[key] ?? []}
      chosen={filter[key] === undefined ? [] : [filter[key]]}
      onToggle={(value) => set({ [key]: filter[key] === value ? undefined : value })}
      {...(nameOf !== undefined && { nameOf })}
    />
  );
  return (
    <div role="group" aria-label="Filters" className={classes["facets"]}>
      <Facet
        title="Status"
        values={facets?.status ?? []}
        chosen={filter.status ?? []}
        nameOf={wordsOf}
        onToggle={(value) => set({ status: toggled(filter.status, value as UnitStatusWord) })}
      />
      <Facet
        title="Environment"
        values={facets?.environment ?? []}
        chosen={filter.in ?? []}
        onToggle={(value) => set({ in: toggled(filter.in, value) })}
      />
      {one("owner", "Owner", shortReference)}
      {one("domain", "Domain")}
      {one("kind", "Kind", (kind) => wordsOf(kindText(kind)))}
      {countOf(filter) > 0 && (
        <Button
          variant="subtle"
          leftSection={<Icon name="close" size={12} />}
          onClick={() =>
            set({ status: undefined, in: undefined, owner: undefined, domain: undefined, kind: undefined })
          }
        >
          Clear filters
        </Button>
      )}
    </div>
  );
};

const toggled = <T,>(list: readonly T[] | undefined, value: T): T[] =>
  list?.includes(value) === true ? list.filter((each) => each !== value) : [...(list ?? []), value];

const dropEmpty = <T extends object>(search: T): T =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;

const asItIs = (value: string): string => value;

const Facet = ({ title, values, chosen, nameOf = asItIs, onToggle }: FacetProps): ReactNode => {
  const shown = [
    ...values,
    // A chosen value that nothing has stays there, so that it can be taken back.
    ...chosen
      .filter((value) => values.every((each) => each.value !== value))
      .map((value) => ({ value, count: 0 })),
  ];
  if (shown.length === 0) return null;
  const names = namesOfValues(
    shown.map(({ value }) => value),
    nameOf,
  );
  return (
    <div role="group" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed" mb={2} aria-hidden>
        {title}
      </Text>
      {shown.map(({ value, count }) => (
        <UnstyledButton
          key={value}
          className={classes["facet"]}
          aria-pressed={chosen.includes(value)}
          title={value}
          onClick={() => onToggle(value)}
        >
          <span className={classes["box"]} aria-hidden>
            {chosen.includes(value) && <Icon name="check" size={12} />}
          </span>
          <span className={classes["value"]}>{names.get(value)}</span>{" "}
          <span className={classes["count"]}>{count}</span>
        </UnstyledButton>
      ))}
    </div>
  );
};
