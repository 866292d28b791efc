import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { EndOfTable } from "./end-of-list.tsx";
import type { NextPage } from "./next-page.ts";
import classes from "./virtual-table.module.css";

export interface Column<Row> {
  /** Unique in the table. */
  key: string;
  header: string;
  /** A track of a CSS grid: `2fr`, `7rem`, `minmax(8rem, 1fr)`. Never `auto`: each row is a grid of its own. */
  width: string;
  cell: (row: Row) => ReactNode;
  align?: "start" | "end";
  /** Long text takes several lines; otherwise its end is cut off. */
  wrap?: boolean;
}

export interface VirtualTableProps<Row> {
  /** What a screen reader calls the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Of a list that is read a page at a time: the next one is read when the last rows come into view. */
  next?: NextPage;
  /** Of all rows, where that is known and more than are loaded. */
  total?: number;
}

const rowHeight = 40;
const nearEnd = 10;

/**
 * A table of any length that scrolls with the page: only rows in view are in the document. On a phone each row is a small list of
 * its cells with their headers. Arrow keys move between the rows' first links or buttons.
 */
export const VirtualTable = <Row,>(props: VirtualTableProps<Row>): ReactNode => {
  const { label, columns, rows, rowKey, next, total } = props;
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setOffset(top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: offset,
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const readNext = next?.read;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - nearEnd) readNext?.();
  }, [last, rows.length, readNext]);
  const template = { "--columns": columns.map(({ width }) => width).join(" ") } as CSSProperties;
  return (
    <>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        className={classes["table"]}
        style={template}
      >
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]}>
            {columns.map(({ key, header, align }) => (
              <div role="columnheader" key={key} data-align={align}>
                {header}
              </div>
            ))}
          </div>
        </div>
        {/* The rows hold what has the focus; the keys only move it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          role="rowgroup"
          ref={body}
          className={classes["body"]}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={moveRow}
        >
          {items.map(({ index, start, key: itemKey }) => {
            const row = rows[index] as Row;
            return (
              <div
                role="row"
                key={itemKey}
                aria-rowindex={index + 2}
                data-index={index}
                ref={virtualizer.measureElement}
                className={classes["row"]}
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                {columns.map(({ key, header, cell, align, wrap }) => (
                  <div role="cell" key={key} data-header={header} data-align={align} data-wrap={wrap}>
                    {cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {next !== undefined && <EndOfTable next={next} />}
    </>
  );
};

const moveRow = (event: KeyboardEvent<HTMLDivElement>): void => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.target instanceof HTMLInputElement) return;
  const row = event.target instanceof Element ? event.target.closest('[role="row"]') : null;
  const next = Number(row?.getAttribute("data-index")) + (event.key === "ArrowDown" ? 1 : -1);
  const target = event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"] :is(a, button)`);
  if (target === null) return;
  event.preventDefault();
  target.focus();
};
