import { Button, Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useState, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { ShowMore } from "../../../parts/tables/end-of-list.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { policyNamesQuery } from "../policies/queries.ts";
import { ExceptionList } from "./exception-list.tsx";
import { exceptionStatuses, exceptionsQuery } from "./queries.ts";
import { RequestException } from "./request-exception.tsx";

const route = getRouteApi("/exceptions");

export const ExceptionsPage = (): ReactNode => {
  const { ask, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(exceptionsQuery(filter));
  const next = useNextPage(query);
  const mayAsk = useHasRole("developer", "operator", "admin");
  const [done, setDone] = useState<string | null>(null);
  const setAsk = useCallback(
    (isAsking: boolean) =>
      void navigate({ search: (previous) => ({ ...previous, ask: isAsking ? true : undefined }) }),
    [navigate],
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Exceptions"
        description="Where a policy is not applied for a time, and who allowed it."
        actions={
          mayAsk ? (
            <Button variant="filled" onClick={() => setAsk(true)}>
              Request an exception
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              Developers and operators may request one.
            </Text>
          )
        }
      />
      <Filters />
      <Text size="sm" role="status">
        {done}
      </Text>
      <Loaded query={query} what="list the exceptions">
        {({ pages }) => {
          const exceptions = pages.flatMap(({ data }) => data);
          if (exceptions.length === 0)
            return isFiltered ? (
              <EmptyView title="No exception fits" icon="search" />
            ) : (
              <EmptyView title="No exception was asked for" icon="shield" />
            );
          return (
            <>
              <ExceptionList exceptions={exceptions} onDone={setDone} />
              <ShowMore next={next} />
            </>
          );
        }}
      </Loaded>
      {ask === true && (
        <RequestException policy={filter.policy} resource={filter.resource} onClose={() => setAsk(false)} />
      )}
    </>
  );
};

const Filters = (): ReactNode => {
  const { status, policy, resource } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: policies = [] } = useQuery(policyNamesQuery);
  return (
    <Group gap="xs" mb="sm" role="search">
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={exceptionStatuses.map((value) => ({ value, label: wordsOf(value) }))}
        value={status ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
        }
        w="11rem"
      />
      <Select
        aria-label="Policy"
        placeholder="Any policy"
        clearable
        searchable
        data={policies.map(({ id, name }) => ({ value: id, label: name }))}
        value={policy ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, policy: value ?? undefined }) })
        }
        w="18rem"
      />
      {resource !== undefined && (
        <Button
          variant="subtle"
          onClick={() => void navigate({ search: (previous) => ({ ...previous, resource: undefined }) })}
        >
          Of {resource}: show all
        </Button>
      )}
    </Group>
  );
};
