import { Button, Group, List, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { momentText } from "../../../parts/values/text.ts";
import { useNow } from "../../../parts/values/times.tsx";
import classes from "./calendar.module.css";
import { namedPeriods, openPeriods, type Period, type Window } from "./times/periods.ts";

const route = getRouteApi("/schedules");
const days = 14;
const dateLength = "2026-11-26".length;

interface CalendarRange extends Period {
  /** Midnights of the reader's clock, the first of each day. */
  starts: readonly number[];
  isToday: boolean;
}

/** A fortnight by the clock of whoever reads it, from the day in the address or today on. */
const useCalendarRange = (): CalendarRange => {
  const { from } = route.useSearch();
  const today = new Date(useNow()).toDateString();
  return useMemo(() => {
    const asked = from === undefined ? Number.NaN : Date.parse(`${from}T00:00`);
    const isToday = Number.isNaN(asked);
    const first = isToday ? new Date(today) : new Date(asked);
    const starts = Array.from({ length: days + 1 }, (_, day) =>
      new Date(first.getFullYear(), first.getMonth(), first.getDate() + day).getTime(),
    );
    return { from: starts[0] ?? 0, until: starts[days] ?? 0, starts: starts.slice(0, days), isToday };
  }, [from, today]);
};

const dayText = (at: number): string => {
  const date = new Date(at);
  const two = (value: number): string => `${value}`.padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`.slice(0, dateLength);
};

const dayNames = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
const percent = (at: number, { from, until }: Period): string => `${(100 * (at - from)) / (until - from)}%`;

/** The days above all strips, what the strips show, and steps of a week. */
export const CalendarAxis = (): ReactNode => {
  const range = useCalendarRange();
  const navigate = route.useNavigate();
  const step = (by: number) => (): void => {
    const first = new Date(range.from);
    const day = new Date(first.getFullYear(), first.getMonth(), first.getDate() + by).getTime();
    void navigate({ search: (previous) => ({ ...previous, from: dayText(day) }), replace: true });
  };
  return (
    <div>
      <Group gap="xs" mb="xs" justify="space-between">
        <Text size="xs" c="dimmed" component="div">
          <span className={`${classes["strip"]} ${classes["key"]}`}>
            <span className={classes["open"]} style={{ inset: 0 }} />
          </span>
          operations may begin
          <span className={`${classes["strip"]} ${classes["key"]}`} style={{ marginInlineStart: 16 }} />
          nothing begins
        </Text>
        <Group gap="xs">
          <Button onClick={step(-7)}>Earlier</Button>
          <Button
            disabled={range.isToday}
            onClick={() =>
              void navigate({ search: (previous) => ({ ...previous, from: undefined }), replace: true })
            }
          >
            Today
          </Button>
          <Button onClick={step(7)}>Later</Button>
        </Group>
      </Group>
      <div className={classes["axis"]} aria-hidden>
        {range.starts.map((start) => (
          <span key={start} style={{ left: percent(start, range) }}>
            {dayNames.format(start)}
          </span>
        ))}
      </div>
    </div>
  );
};

/** When operations may begin within the fortnight; the same as text for those who do not see it. */
export const CalendarStrip = ({
  label,
  windows,
}: {
  label: string;
  windows: readonly Window[];
}): ReactNode => {
  const range = useCalendarRange();
  const now = useNow();
  const open = useMemo(() => openPeriods(windows, range), [windows, range]);
  const next = useMemo(() => namedPeriods(windows, range).slice(0, 50), [windows, range]);
  return (
    <>
      <div className={classes["strip"]} role="img" aria-label={`When operations may begin in ${label}`}>
        {open.map((period) => (
          <div
            key={period.from}
            className={classes["open"]}
            title={`Open ${momentText(period.from)} – ${momentText(period.until)}`}
            style={{
              left: percent(period.from, range),
              width: `${(100 * (period.until - period.from)) / (range.until - range.from)}%`,
            }}
          />
        ))}
        {range.starts.slice(1).map((start) => (
          <div key={start} className={classes["day"]} style={{ left: percent(start, range) }} />
        ))}
        {now >= range.from && now < range.until && (
          <div className={classes["now"]} title="Now" style={{ left: percent(now, range) }} />
        )}
      </div>
      {next.length > 0 && (
        <details>
          <summary>
            <Text size="xs" c="dimmed" span>
              {next.length} {next.length === 1 ? "period" : "periods"} in these {days} days
            </Text>
          </summary>
          <List size="xs" listStyleType="none" mt={4}>
            {next.map(({ name, kind, from, until }) => (
              <List.Item key={`${name} ${from}`}>
                {momentText(from)} – {momentText(until)}: {name} ({kind})
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </>
  );
};
