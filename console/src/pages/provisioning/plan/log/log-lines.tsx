import { Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import { NextPageProblem } from "../../../../parts/tables/end-of-list.tsx";
import type { NextPage } from "../../../../parts/tables/next-page.ts";
import { componentNameOf } from "../../names.ts";
import type { LogLine } from "../model/log-buffer.ts";
import classes from "./log.module.css";

export interface LogLinesProps {
  label: string;
  lines: readonly LogLine[];
  /** CSS. */
  height: string;
  withTask?: boolean;
  /** Stays at the last line while lines come, unless one has scrolled up. */
  follows?: boolean;
  /** Of a log that is read a page at a time: the next one is read when the last line comes into view. */
  next?: NextPage;
}

const lineHeight = 20;
const nearEndPx = 40;

/** Lines of a log in a window of their own: only those in view are in the document. */
export const LogLines = (props: LogLinesProps): ReactNode => {
  const { label, lines, height, withTask = true, follows = false, next } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(follows);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const readNext = next?.read;
  useEffect(() => {
    if (lines.length > 0 && last >= lines.length - 1) readNext?.();
  }, [last, lines.length, readNext]);
  useEffect(() => {
    if (isAtEnd.current && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [lines, virtualizer]);
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No lines.
      </Text>
    );
  return (
    <>
      <div
        ref={frame}
        role="log"
        aria-label={label}
        aria-live="off"
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className={classes["frame"]}
        style={{ height: `min(${height}, ${virtualizer.getTotalSize() + 18}px)`, minHeight: "3rem" }}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = follows && scrollHeight - scrollTop - clientHeight < nearEndPx;
        }}
      >
        <div style={{ height: virtualizer.getTotalSize() }} className={classes["lines"]}>
          {items.map(({ index, start, key }) => (
            <div
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes["line"]}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line line={lines[index] as LogLine} withTask={withTask} />
            </div>
          ))}
        </div>
      </div>
      {next !== undefined && <NextPageProblem next={next} />}
    </>
  );
};

const times = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

const Line = ({ line, withTask }: { line: LogLine; withTask: boolean }): ReactNode => (
  <>
    <time dateTime={line.timestamp} title={line.timestamp}>
      {times.format(Date.parse(line.timestamp))}
    </time>{" "}
    {line.severity !== "INFO" && (
      <span className={classes["severity"]} data-severity={line.severity}>
        {line.severity}{" "}
      </span>
    )}
    {withTask && line.task !== null && (
      <span className={classes["task"]} title={line.task}>
        {componentNameOf(line.task.slice(line.task.indexOf(":") + 1))}{" "}
      </span>
    )}
    <span>{line.message}</span>
  </>
);
