import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode } from "react";
import { Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";

export interface EndlessListProps<Row> {
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
  /** The rest of "Plinth could not …". */
  what: string;
  who?: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** In place of a table without rows. */
  empty: ReactNode;
}

/** A table that reads its next page when its end comes into view. */
export const EndlessList = <Row,>(props: EndlessListProps<Row>): ReactNode => {
  const { label, query, what, who, columns, rowKey, empty } = props;
  const next = useNextPage(query);
  return (
    <Loaded query={query} what={what} {...(who !== undefined && { who })}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        return rows.length === 0 ? (
          empty
        ) : (
          <VirtualTable label={label} columns={columns} rows={rows} rowKey={rowKey} next={next} />
        );
      }}
    </Loaded>
  );
};
