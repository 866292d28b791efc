import { Group, SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AssistantComponents } from "plinth-client";
import { type ReactNode } from "react";
import { useHasRole } from "../../api/session.ts";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { PageLink } from "../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../parts/states/views.tsx";
import { useNextPage } from "../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../parts/tables/virtual-table.tsx";
import { IdText } from "../../parts/values/id-text.tsx";
import { usageQuery, type UsageGroup } from "./queries.ts";
import classes from "./usage-page.module.css";

type Row = AssistantComponents["schemas"]["UsageEntry"];
type Total = AssistantComponents["schemas"]["Usage"]["meta"]["total"];

const route = getRouteApi("/assistant/usage");

const periods = { day: 1, week: 7, month: 30, all: 0 } as const;
type Period = keyof typeof periods;

/** Tokens and cost of models, by agent, model, conversation, run or user. */
export const UsagePage = (): ReactNode => {
  const { by = "agent", owner = "me", period = "month" } = route.useSearch();
  const query = useInfiniteQuery(usageQuery({ by, owner, days: periods[period] }));
  const next = useNextPage(query);
  return (
    <>
      <PageHeader title="Usage" description="What the assistant has used of models." />
      <Choices by={by} owner={owner} period={period} />
      <Loaded query={query} what="read the usage" who="operators, for the usage of all">
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          const total = pages.at(-1)?.meta.total;
          if (rows.length === 0 || total === undefined)
            return <EmptyView title="No model was called in this time" icon="pulse" />;
          return (
            <>
              <Totals total={total} />
              <VirtualTable
                label="Usage"
                columns={columnsOf(by, total)}
                rows={rows}
                rowKey={({ key }) => key}
                next={next}
                total={pages.at(-1)?.meta.pagination.total ?? rows.length}
              />
            </>
          );
        }}
      </Loaded>
    </>
  );
};

const groupNames: Record<UsageGroup, string> = {
  agent: "Agent",
  model: "Model",
  session: "Conversation",
  run: "Run",
  user: "User",
};

const Choices = ({
  by,
  owner,
  period,
}: {
  by: UsageGroup;
  owner: "me" | "all";
  period: Period;
}): ReactNode => {
  const navigate = route.useNavigate();
  const isOperator = useHasRole("operator", "admin");
  return (
    <Group gap="sm" mb="md">
      <SegmentedControl
        size="xs"
        aria-label="By"
        value={by}
        onChange={(value) => void navigate({ search: (previous) => ({ ...previous, by: value }) })}
        data={(Object.keys(groupNames) as UsageGroup[])
          .filter((group) => group !== "user" || owner === "all")
          .map((value) => ({ value, label: groupNames[value] }))}
      />
      <SegmentedControl
        size="xs"
        aria-label="Time"
        value={period}
        onChange={(value) => void navigate({ search: (previous) => ({ ...previous, period: value }) })}
        data={[
          { value: "day", label: "24 hours" },
          { value: "week", label: "7 days" },
          { value: "month", label: "30 days" },
          { value: "all", label: "All" },
        ]}
      />
      {isOperator && (
        <SegmentedControl
          size="xs"
          aria-label="Whose"
          value={owner}
          onChange={(value) =>
            void navigate({
              search: (previous) => ({
                ...previous,
                owner: value,
                by: value === "me" && by === "user" ? "agent" : by,
              }),
            })
          }
          data={[
            { value: "me", label: "Mine" },
            { value: "all", label: "Everybody's" },
          ]}
        />
      )}
    </Group>
  );
};

const Totals = ({ total }: { total: Total }): ReactNode => (
  <dl className={classes["totals"]} aria-label="Total">
    <Figure name="Calls of models" value={total.calls.toLocaleString()} />
    <Figure name="Tokens read" value={total.input_tokens.toLocaleString()} />
    <Figure name="of these from a cache" value={total.cached_tokens.toLocaleString()} />
    <Figure name="Tokens written" value={total.output_tokens.toLocaleString()} />
    <Figure
      name="Cost"
      value={total.cost > 0 ? total.cost.toFixed(4) : "–"}
      {...(total.cost === 0 && { note: "no assistant.prices" })}
    />
  </dl>
);

const Figure = ({ name, value, note }: { name: string; value: string; note?: string }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd className="tabular">
      {value}
      {note !== undefined && (
        <Text span size="xs" c="dimmed">
          {" "}
          {note}
        </Text>
      )}
    </dd>
  </div>
);

const columnsOf = (by: UsageGroup, total: Total): readonly Column<Row>[] => {
  const all = total.input_tokens + total.output_tokens;
  const number = (key: string, header: string, value: (row: Row) => number): Column<Row> => ({
    key,
    header,
    width: "minmax(0, 1fr)",
    align: "end",
    cell: (row) => <span className="tabular">{value(row).toLocaleString()}</span>,
  });
  return [
    {
      key: "key",
      header: groupNames[by],
      width: "minmax(0, 2.2fr)",
      cell: ({ key }) => <Key by={by} name={key} />,
    },
    {
      key: "share",
      header: "Share of tokens",
      width: "minmax(0, 1.4fr)",
      cell: (row) => <Share value={all === 0 ? 0 : (row.input_tokens + row.output_tokens) / all} />,
    },
    number("calls", "Calls", ({ calls }) => calls),
    number("in", "Read", ({ input_tokens: tokens }) => tokens),
    number("out", "Written", ({ output_tokens: tokens }) => tokens),
    {
      key: "cost",
      header: "Cost",
      width: "minmax(0, 0.8fr)",
      align: "end",
      cell: ({ cost }) => <span className="tabular">{cost > 0 ? cost.toFixed(4) : "–"}</span>,
    },
  ];
};

const Key = ({ by, name }: { by: UsageGroup; name: string }): ReactNode => {
  if (by === "session")
    return (
      <PageLink to="/assistant/$sessionId" params={{ sessionId: name }}>
        {name}
      </PageLink>
    );
  return by === "run" ? <IdText id={name} /> : name;
};

const Share = ({ value }: { value: number }): ReactNode => (
  <span className={classes["share"]}>
    <span className={classes["bar"]} aria-hidden>
      <span style={{ width: `${Math.round(value * 100)}%` }} />
    </span>
    <span className="tabular">{Math.round(value * 100)} %</span>
  </span>
);
