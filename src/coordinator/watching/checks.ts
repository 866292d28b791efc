/** The checks of the coordinator: plans, adapters, webhooks and notices. */
import {
  ageOf,
  counted,
  databaseCheck,
  ok,
  problem,
  warning,
  type Check,
  type Finding,
} from "../../platform/lib/check.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../platform/db/database.ts";
import { listEventWriters, longSeconds } from "../../platform/events/settled-store.ts";
import { listSome } from "../../platform/lib/list-some.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { listEnabledUrls, type RegisteredUrl } from "../adapters/store.ts";
import {
  readFailedTasks,
  readFailing,
  readLongestWaiting,
  readNeglected,
  readWatchingNumbers,
  type EventReader,
  type FailedTasks,
  type WaitingPlan,
  type WaitingReason,
  type WatchingNumbers,
} from "./metrics-store.ts";
import { lateReader, unreadFinding } from "./unread.ts";
import { readMessageNumbers, type MessageNumbers } from "./notices/sending/message-store.ts";

/** What the database and the settings say. */
export function coordinatorChecks(db: Db, readers: readonly EventReader[]): Check[] {
  let reading: Promise<WatchingNumbers> | null = null;
  const read = (): Promise<WatchingNumbers> => (reading ??= readWatchingNumbers(db));
  /** Where events are not read at all, that is said first: messages about them are not late, since there are none. */
  const withUnread = async (reader: EventReader, ofMessages: () => Promise<Finding>): Promise<Finding> => {
    const late = lateReader((await read()).unread, readers, reader);
    if (late === null) return ofMessages();
    return unreadFinding(late, await listEventWriters(db, { limit: maxWriters, forSeconds: longSeconds }));
  };
  return [
    waitingCheck(db),
    storedCheck("stuck plans", "monitoring.md#plinthplanoverdue", async () => stuckFinding(await read())),
    storedCheck("failed tasks", "troubleshooting.md#a-plan-failed", async () =>
      failedFinding(await readFailedTasks(db)),
    ),
    storedCheck("unknown outcomes", "running-plans.md#unknown-outcomes", async () =>
      outcomesFinding(await read()),
    ),
    storedCheck("webhooks", "webhooks.md#list-and-replay", () =>
      withUnread("webhooks", async () => deliveriesFinding((await read()).deliveries)),
    ),
    storedCheck("notices", "notices.md#when-a-message-cant-be-sent", () =>
      withUnread("notices", async () => noticesFinding(await readMessageNumbers(db))),
    ),
  ];
}

const maxWriters = 100;

const storedCheck = (name: string, guide: string, look: Check["look"]): Check => ({
  name,
  guide,
  needs: databaseCheck,
  look,
});

const waitsFor: Readonly<Record<WaitingReason, string>> = {
  queue: "the operation of its unit before it",
  approval: "an approval",
  window: "its environment to open",
  earlier_plans: "changes of access, or calls that are made again, before it",
  error: "the next attempt after an error",
  worker: "a worker",
  worker_gone: "another worker, because its own has ended",
};

/** Longer than a queue of starts takes. */
const overdueSeconds = 60;
/** A plan that loses its worker counts as waiting since its start, so it is neglected only if it still waits after a take-over would have come. */
const takeOverMs = 2_000;

const waitingCheck = (db: Db): Check => ({
  name: "waiting plans",
  guide: "troubleshooting.md#a-plan-waits",
  needs: databaseCheck,
  timeoutMs: 8_000,
  async look(signal) {
    const failing = await readFailing(db, failingSeconds);
    if (failing.length > 0) return failingFinding(failing);
    const longest = await readLongestWaiting(db, 3);
    const before = await readNeglected(db, overdueSeconds);
    if (before.length === 0) return waitingFinding(longest);
    await sleep(takeOverMs, undefined, { signal });
    const now = new Set((await readNeglected(db, overdueSeconds)).map(({ id }) => id));
    const still = before.filter(({ id }) => now.has(id));
    return still.length === 0 ? waitingFinding(longest) : neglectedFinding(still);
  },
});

/** Longer than a short outage of governance or of the database. */
const failingSeconds = 30;

const failingFinding = (plans: readonly WaitingPlan[]): Finding =>
  problem(
    `Can't go on because of errors: ${listSome(plans, 3, textOf)}.`,
    "Read why with `plinth status --plan <token>` and in the server's log; each is tried again by itself.",
  );

const textOf = ({ id, reason, seconds }: WaitingPlan): string =>
  `${id} for ${waitsFor[reason]} (${ageOf(seconds)})`;

const waitingFinding = (longest: readonly WaitingPlan[]): Finding =>
  ok(longest.length === 0 ? "No plan waits." : `Those that wait longest: ${longest.map(textOf).join("; ")}.`);

const neglectedFinding = (plans: readonly WaitingPlan[]): Finding =>
  problem(
    `No worker takes: ${listSome(plans, 3, textOf)}.`,
    "Look whether workers are alive and have free places (coordinator.execution.parallelPlans); start one more.",
  );

function stuckFinding({ overduePlans }: WatchingNumbers): Finding {
  return overduePlans === 0
    ? ok("Every plan that a worker drives is within its time limit.")
    : problem(
        `A worker drives ${counted(overduePlans, "plan")} beyond the time limit.`,
        "Find it with `plinth list operations --status RUNNING`, and end it with `plinth terminate <token> --mode forced`.",
      );
}

const recentSeconds = 3_600;

export function failedFinding(failed: readonly FailedTasks[]): Finding {
  if (failed.length === 0) return ok("No task of an adapter has failed within the last day.");
  const list = failed.map(
    ({ adapter, count, seconds }) =>
      `${counted(count, "task")} of ${adapter}, the last ${ageOf(seconds)} ago`,
  );
  const found = `Within the last day have failed: ${listSome(list, 5)}.`;
  return failed.some(({ seconds }) => seconds < recentSeconds)
    ? warning(
        found,
        "See why with `plinth list operations --status FAILED` and `plinth status --plan <token>`.",
      )
    : ok(found);
}

const openSeconds = 3_600;

function outcomesFinding({ openOutcomes }: WatchingNumbers): Finding {
  if (openOutcomes.length === 0) return ok("Of every call of an adapter it is known how it ended.");
  const count = openOutcomes.reduce((sum, each) => sum + each.count, 0);
  const oldest = Math.max(...openOutcomes.map(({ oldestSeconds }) => oldestSeconds));
  const found = `Calls of which it is not known whether they acted: ${count}, the oldest since ${ageOf(oldest)}.`;
  return oldest < openSeconds
    ? ok(found)
    : warning(
        found,
        "Look in the technology what was done, and settle them: `plinth list unknown-outcomes`.",
      );
}

const lateSeconds = 900;

export function deliveriesFinding(deliveries: WatchingNumbers["deliveries"]): Finding {
  const dead = deliveries.filter(({ status }) => status === "dead");
  const late = deliveries.filter(
    ({ status, oldestSeconds }) => status === "pending" && oldestSeconds > lateSeconds,
  );
  if (dead.length > 0)
    return warning(
      `Deliveries were given up: ${dead.map(({ webhook, count }) => `${count} to ${webhook}`).join(", ")}.`,
      "Mend the receiver, and have them repeated: POST /api/coordinator/v1/webhook-deliveries/replay.",
    );
  if (late.length > 0)
    return warning(
      `Deliveries wait: ${late.map(({ webhook, oldestSeconds }) => `to ${webhook} for ${ageOf(oldestSeconds)}`).join(", ")}.`,
      "Look whether the receiver answers, and whether a worker is alive.",
    );
  return ok("None was given up, and none is late.");
}

export function noticesFinding(messages: readonly MessageNumbers[]): Finding {
  const dead = messages.filter(({ status }) => status === "dead");
  const late = messages.filter(
    ({ status, oldestSeconds }) => status === "pending" && oldestSeconds > lateSeconds,
  );
  if (dead.length > 0)
    return warning(
      `Messages to people were given up: ${dead.map(({ channel, count }) => `${count} by ${channel}`).join(", ")}.`,
      "See why with `plinth notices list --status DEAD`, mend it, and send them with `plinth notices send-again <id>`.",
    );
  if (late.length > 0)
    return warning(
      `Messages to people wait: ${late.map(({ channel, oldestSeconds }) => `by ${channel} for ${ageOf(oldestSeconds)}`).join(", ")}.`,
      "Try the channel with `plinth notices test`.",
    );
  return ok("None was given up, and none is late.");
}

/** Addresses that are called, and how many at a time. */
const maxAddresses = 60;
const callsAtOnce = 15;
const callMs = 1_500;

/** Whether something answers HTTP where adapters are registered: they have no common health check. */
export const adaptersCheck = (db: Db, outbound: Pick<Outbound, "request">): Check => ({
  name: "adapters",
  guide: "monitoring.md#plinthadaptercallsfail",
  needs: databaseCheck,
  timeoutMs: 8_000,
  async look(signal) {
    const registered = await listEnabledUrls(db, maxAddresses);
    const silent: string[] = [];
    const left = registered.values();
    const callAll = async (): Promise<void> => {
      for (const each of left) {
        const why = await reasonOfSilence(outbound, each, signal);
        if (why !== null) silent.push(...each.ids.map((id) => `${id} (${why})`));
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, callAll));
    return adaptersFinding(registered, silent.sort());
  },
});

/** Null where it answers, whatever it says. */
async function reasonOfSilence(
  outbound: Pick<Outbound, "request">,
  { url }: RegisteredUrl,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await outbound.request({ method: "GET", url, timeoutMs: callMs, maxResponseBytes: 65_536, signal });
    return null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.reason === "too_large" ? null : error.reason;
  }
}

function adaptersFinding(registered: readonly RegisteredUrl[], silent: readonly string[]): Finding {
  if (registered.length === 0)
    return warning(
      "No adapter is registered and enabled, so nothing can be deployed.",
      "Register one: `plinth register <id> <url> -e <environment>`.",
    );
  const count = new Set(registered.flatMap(({ ids }) => ids)).size;
  return silent.length === 0
    ? ok(`All adapters answer: ${count}.`)
    : problem(
        `No answer of ${listSome(silent, 5)}.`,
        "Start it, or correct its address with `plinth register`; disable its deployment to refuse starts at once.",
      );
}
