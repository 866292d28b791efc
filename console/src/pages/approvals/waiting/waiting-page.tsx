import { Alert, Chip, Group, List, Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useState, type ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { ShowMore } from "../../../parts/tables/end-of-list.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { kindWords } from "./kinds.ts";
import { waitingKinds, waitingQuery, type WaitingItem, type WaitingKind } from "./queries.ts";
import { WaitingRow } from "./waiting-row.tsx";

const route = getRouteApi("/waiting");

export const WaitingPage = (): ReactNode => {
  const { kind } = route.useSearch();
  const kinds = kind ?? [];
  const query = useInfiniteQuery(waitingQuery(kinds));
  const next = useNextPage(query);
  const [done, setDone] = useState<readonly string[]>([]);
  const tell = useCallback((line: string) => setDone((before) => [line, ...before].slice(0, 5)), []);
  return (
    <>
      <PageHeader
        title="Waits for me"
        description="What others wait for you to decide, and what you started that does not go on. The oldest first."
      />
      <KindFilter kinds={kinds} />
      <Done lines={done} />
      <Loaded query={query} what="read what waits for you">
        {({ pages }) => {
          const items = pages.flatMap(({ data }) => data);
          return (
            <>
              <Unavailable kinds={pages.flatMap(({ meta }) => meta.unavailable)} />
              {items.length === 0 ? (
                <EmptyView
                  title={kinds.length === 0 ? "Nothing waits for you" : "Nothing of that kind waits for you"}
                  icon="check"
                />
              ) : (
                <Items items={items} tell={tell} />
              )}
              <ShowMore next={next} />
            </>
          );
        }}
      </Loaded>
    </>
  );
};

const Items = ({
  items,
  tell,
}: {
  items: readonly WaitingItem[];
  tell: (line: string) => void;
}): ReactNode => (
  <Stack component="ul" aria-label="What waits" gap={0} p={0} m={0}>
    {items.map((item) => (
      <WaitingRow key={`${item.kind} ${item.id}`} item={item} tell={tell} />
    ))}
  </Stack>
);

const KindFilter = ({ kinds }: { kinds: readonly WaitingKind[] }): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <Chip.Group
      multiple
      value={[...kinds]}
      onChange={(chosen) => {
        const next = waitingKinds.filter((kind) => chosen.includes(kind));
        void navigate({
          search: (previous) => ({ ...previous, kind: next.length === 0 ? undefined : next }),
        });
      }}
    >
      <Group gap={6} mb="sm" role="group" aria-label="Kinds">
        {waitingKinds.map((kind) => (
          <Chip key={kind} value={kind} size="xs">
            {kindWords[kind]}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
};

/** What was done here: an item that is decided leaves the list. */
const Done = ({ lines }: { lines: readonly string[] }): ReactNode => (
  <div role="status" aria-live="polite">
    {lines.length > 0 && (
      <Alert color="good" icon={<Icon name="check" />} mb="sm">
        <List size="sm" listStyleType="none">
          {lines.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </Alert>
    )}
  </div>
);

const Unavailable = ({ kinds }: { kinds: readonly { kind: WaitingKind; reason: string }[] }): ReactNode =>
  kinds.length > 0 && (
    <Alert color="warn" icon={<Icon name="warning" />} mb="sm" title="This list is not complete">
      <List size="sm">
        {kinds.map(({ kind, reason }) => (
          <List.Item key={kind}>
            {kindWords[kind]}: {reason}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
