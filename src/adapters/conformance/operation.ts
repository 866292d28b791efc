/** One operation of the adapter under test, from its start over its polls to its end. */
import { adviceOnFailure, adviceOnRefusal } from "./advice.ts";
import type { Deviation } from "./deviation.ts";
import type { Call, Exchange } from "./exchange.ts";
import { isNotOffered } from "./offered.ts";
import { finalStatuses, labelOf, readFault, readStatus, readToken } from "./shapes.ts";
import type { StatusReport } from "./shapes.ts";

export type Operation = "provision" | "unprovision" | "updateacl" | "reverse-provisioning";

/** The course of one operation, from its start to its end. */
export interface Ended {
  /** The answer to the start. */
  first: Exchange;
  /** The last answer of all. */
  last: Exchange;
  token?: string;
  /** Absent when no usable end was seen. */
  report?: StatusReport;
  /** The response to the start says that the adapter does not support the operation. */
  unsupported: boolean;
  deviations: Deviation[];
}

export interface Follower {
  /** Follows an operation from the response to its start to its end. */
  follow: (operation: Operation, first: Exchange) => Promise<Ended>;
  /** Polls a status until it is final, a response is not a status, or the time limit; returns the last response. */
  poll: (path: string) => Promise<Exchange>;
}

export interface FollowerOptions {
  call: (call: Call) => Promise<Exchange>;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
  waitMs: number;
  pollMs: number;
  /** Called with the status path of an operation that has not ended in time. */
  onUnended: (path: string) => void;
}

const longestPollMs = 5_000;
/** Like the coordinator, a check tolerates transient faults of polls, but fewer. */
const pollFaults = 3;

export function createFollower({ call, sleep, now, waitMs, pollMs, onUnended }: FollowerOptions): Follower {
  const follow = async (operation: Operation, first: Exchange): Promise<Ended> => {
    const ended: Ended = { first, last: first, unsupported: false, deviations: readFault(first) };
    if (!first.answer) return ended;
    const { status } = first.answer;
    ended.unsupported = isNotOffered(first);
    if (status === 202) {
      const { value, deviations } = readToken(first);
      ended.deviations.push(...deviations);
      if (value !== undefined) {
        ended.token = value;
        await pollToEnd(operation, value, ended);
      }
    } else if (status === 200) takeReport(ended, first, operation);
    else if (!ended.unsupported) ended.deviations.push(refused(first));
    return ended;
  };

  const pollToEnd = async (operation: Operation, token: string, ended: Ended): Promise<void> => {
    const giveUpAt = now() + waitMs;
    let faults = 0;
    for (let delay = pollMs; now() < giveUpAt; delay = Math.min(delay * 1.5, longestPollMs)) {
      await sleep(delay);
      const exchange = await call({ method: "GET", path: statusPath(operation, token) });
      ended.last = exchange;
      if (exchange.answer?.status === 200) {
        takeReport(ended, exchange, operation);
        if (!ended.report || finalStatuses.includes(ended.report.status)) return;
        continue;
      }
      ended.deviations.push(...(exchange.answer ? [badPoll(exchange)] : readFault(exchange)));
      faults += 1;
      if (faults >= pollFaults || (exchange.answer && exchange.answer.status < 500)) {
        delete ended.report;
        return;
      }
    }
    delete ended.report;
    onUnended(statusPath(operation, token));
    ended.deviations.push({
      severity: "fail",
      what: `The operation did not end within ${waitMs / 1000} s.`,
      protocol: "Every operation ends with COMPLETED, FAILED or TERMINATED.",
      fix: "End it in every case, also when the work behind it fails; --wait gives slow work more time.",
      exchange: ended.last,
    });
  };

  const poll = async (path: string): Promise<Exchange> => {
    const giveUpAt = now() + waitMs;
    for (let delay = pollMs; ; delay = Math.min(delay * 1.5, longestPollMs)) {
      await sleep(delay);
      const exchange = await call({ method: "GET", path });
      const report = exchange.answer?.status === 200 ? readStatus(exchange).value : undefined;
      if (!report || finalStatuses.includes(report.status) || now() > giveUpAt) return exchange;
    }
  };
  return { follow, poll };
}

export const keyHeader = (key: string): Record<string, string> => ({ "idempotency-key": key });

export const statusPath = (operation: Operation, token: string): string => {
  const base = operation === "reverse-provisioning" ? "/v1/reverse-provisioning" : "/v1/provision";
  return `${base}/${encodeURIComponent(token)}/status`;
};

function takeReport(ended: Ended, exchange: Exchange, operation: Operation): void {
  const { value, deviations } = readStatus(exchange, operation === "reverse-provisioning");
  const known = new Set(ended.deviations.map(({ what }) => what));
  // The same deviation in every poll is one finding.
  ended.deviations.push(...deviations.filter(({ what }) => !known.has(what)));
  if (value) ended.report = value;
  else delete ended.report;
  if (!value || finalStatuses.includes(value.status) || ended.token !== undefined) return;
  delete ended.report;
  ended.deviations.push({
    severity: "fail",
    what: `${labelOf(exchange)}: 200 with ${value.status}, which nobody can poll.`,
    protocol: "200 carries the end of the work; what goes on is answered with 202 and a token.",
    fix: "Answer 202 with a token, and give the status at /v1/provision/{token}/status.",
    exchange,
  });
}

const refused = (exchange: Exchange): Deviation => ({
  severity: "fail",
  what: `${labelOf(exchange)} answered ${exchange.answer?.status ?? 0}.`,
  protocol: "A request that is right is answered 200 with the end of the work, or 202 with a token.",
  fix: adviceOnRefusal(exchange),
  exchange,
});

const badPoll = (exchange: Exchange): Deviation => ({
  severity: "fail",
  what: `A poll of the operation answered ${exchange.answer?.status ?? 0}.`,
  protocol: "A token that was given stays known: its status is answered 200 until well after the end.",
  fix: "Keep operations by token, the finished ones for a while too.",
  exchange,
});

/** The deviations of an operation that should have completed, including that it did not. */
export function notCompleted(ended: Ended, subject: string): Deviation[] {
  const failed = ended.deviations.filter(({ severity }) => severity === "fail");
  if (ended.unsupported) return [...failed, refused(ended.first)];
  if (!ended.report || ended.report.status === "COMPLETED") return failed;
  return [...failed, incomplete(ended, subject)];
}

const incomplete = (ended: Ended, subject: string): Deviation => ({
  severity: "fail",
  what: `${subject} ended ${ended.report?.status ?? "without a status"}: ${ended.report?.result || "no result says why"}.`,
  protocol: "Work that is done ends COMPLETED. Doing again what is done already is no failure.",
  fix: adviceOnFailure(ended.first),
  exchange: ended.last,
});

/** As `notCompleted`, with the warnings. */
export function completed(ended: Ended, subject: string): Deviation[] {
  const warnings = ended.deviations.filter(({ severity }) => severity === "warn");
  return [...notCompleted(ended, subject), ...warnings];
}
