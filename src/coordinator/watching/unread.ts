/** Who reads across all events by the configuration, and what is said of one that has come to a halt. Pure. */
import type { Config } from "../../platform/config/schema/schema.ts";
import { longSeconds, type EventWriter } from "../../platform/events/settled-store.ts";
import { ageOf, warning, type Finding } from "../../platform/lib/check.ts";
import { listSome } from "../../platform/lib/list-some.ts";
import type { EventReader, UnreadEvents } from "./metrics-store.ts";

/** What nobody has configured reads no events, and is not behind. */
export const eventReaders = ({ coordinator, notices }: Config): EventReader[] => [
  ...(coordinator.webhooks.length > 0 ? (["webhooks"] as const) : []),
  ...(notices.mail !== undefined || notices.chats.length > 0 ? (["notices"] as const) : []),
];

const lateSeconds = 900;

/** Null where the reader is not late. */
export const lateReader = (
  unread: readonly UnreadEvents[],
  readers: readonly EventReader[],
  reader: EventReader,
): UnreadEvents | null =>
  unread.find(
    (each) => each.reader === reader && readers.includes(reader) && each.oldestSeconds > lateSeconds,
  ) ?? null;

const shownWriters = 3;

export function unreadFinding({ oldestSeconds }: UnreadEvents, writers: readonly EventWriter[]): Finding {
  const found = `Events have not been read for ${ageOf(oldestSeconds)}`;
  if (writers.length === 0)
    return warning(
      `${found}, and no transaction that has been open for ${ageOf(longSeconds)} holds them back.`,
      "Look in the log for rounds that fail and events that could not be made, and whether a worker is alive.",
    );
  return warning(
    `${found}: transactions that have written events are open: ${listSome(writers, shownWriters, writerText)}.`,
    "Find out what they do, and end them: select pg_terminate_backend(<process>), or rollback prepared '<name>'.",
  );
}

function writerText({ pid, prepared, seconds }: EventWriter): string {
  const name = pid === null ? `prepared transaction ${prepared ?? "without a name"}` : `process ${pid}`;
  return seconds === null ? name : `${name} (${ageOf(seconds)})`;
}
