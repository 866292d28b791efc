import type { UseQueryOptions } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { JsonView } from "../values/code-view.tsx";
import { PageHeader } from "../page/page-header.tsx";
import { EmptyView, Loaded } from "../states/views.tsx";
import { VirtualTable, type Column } from "./virtual-table.tsx";

export interface ListPageProps<Row, Answer, Key extends readonly unknown[]> {
  title: string;
  description: string;
  query: UseQueryOptions<Answer, Error, Answer, Key>;
  /** The rest of "Plinth could not …". */
  what: string;
  rows: (answer: Answer) => readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  empty: string;
  who?: string;
}

/** A list that one request answers, as a table. */
export const ListPage = <Row, Answer, Key extends readonly unknown[]>(
  props: ListPageProps<Row, Answer, Key>,
): ReactNode => {
  const { title, description, query, what, rows, rowKey, columns, empty, who } = props;
  return (
    <>
      <PageHeader title={title} description={description} />
      <Loaded query={useQuery(query)} what={what} {...(who !== undefined && { who })}>
        {(answer) => {
          const shown = rows(answer);
          return shown.length === 0 ? (
            <EmptyView title={empty} />
          ) : (
            <VirtualTable label={title} columns={columns} rows={shown} rowKey={rowKey} />
          );
        }}
      </Loaded>
    </>
  );
};

export interface RecordPageProps<Answer, Key extends readonly unknown[]> {
  title: string;
  query: UseQueryOptions<Answer, Error, Answer, Key>;
  what: string;
}

/** One record as the interface answers it. */
export const RecordPage = <Answer, Key extends readonly unknown[]>({
  title,
  query,
  what,
}: RecordPageProps<Answer, Key>): ReactNode => (
  <>
    <PageHeader title={title} />
    <Loaded query={useQuery(query)} what={what}>
      {(answer) => <JsonView value={answer} label={title} maxHeight="70vh" />}
    </Loaded>
  </>
);
