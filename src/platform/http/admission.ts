/**
 * Which requests are worked on now, which wait, and which are refused: admission by queue time.
 *
 * What a request needs has queues of its own (the event loop, the connections to the database) in which it can only
 * grow old. So while one of them is behind, new requests wait here instead, where the wait is measured. A burst may
 * wait. A queue that stands means that more comes than can be done: then whoever would wait too long is refused at once,
 * before anything has been spent on it.
 */
import { createLoopWatch, type LoopTime } from "./loop-watch.ts";

export interface AdmissionSettings {
  /** Requests that are worked on at a time whatever is behind; more only while nothing is. */
  activeRequests: number;
  /** How long a request may have to wait, by the pace of the others, to be accepted once the queue stands. */
  queueMs: number;
  /** Most that wait. */
  queuedRequests: number;
}

export const defaultAdmission: AdmissionSettings = { activeRequests: 4, queueMs: 100, queuedRequests: 1000 };

/**
 * A queue stands when requests have been waiting for so many times `queueMs`. Only as long a time without any ends that:
 * a queue that is empty for a moment is no sign that the server can keep up.
 */
const burstFactor = 4;
/** It must have lived through so many turns as well: a process that is stopped for long sees all that came at once. */
const burstTurns = 4;
/** Requests over which the pace of the queue is averaged. */
const paceWindow = 16;
/** Nobody waits longer than so many times `queueMs`, whatever holds the queue up. */
const overdueFactor = 20;

/** Requests begun in one turn, so that health checks and answers of the database come between. */
const startsPerTurn = 8;
/** Of these beyond the requests that are always worked on: their number grows slowly, so that it stops in time. */
const extraStartsPerTurn = 2;
/** How often a queue that waits for something else than the loop is looked at. */
const lookAgainMs = 5;

export type Refusal = "queue_time" | "queue_full";

/** A request. Either `begin` or `refuse` is called, at once or later, unless it leaves before. */
export interface Visitor {
  begin: () => void;
  refuse: (reason: Refusal) => void;
  /** Whether it goes before the others that wait, and is not refused because of them. */
  isUrgent: () => boolean;
  /** Whether it waits in the queue, however slow that is, because its caller takes a refusal for the end. */
  isPatient: () => boolean;
  /** Only the admission writes this. */
  state: "new" | "waiting" | "active" | "over";
  /** When it began to wait; likewise. */
  since: number;
}

export interface AdmissionOptions {
  settings: AdmissionSettings;
  time: LoopTime;
  /** Whether something else that requests need has a queue. */
  isBehind: () => boolean;
  /** Called for each request that had to wait and begins now. */
  onWaited: (ms: number) => void;
}

export interface Admission {
  enter: (visitor: Visitor) => void;
  /** Its owner says that it is over, however it went; saying so again does nothing. */
  leave: (visitor: Visitor) => void;
  readonly active: number;
  readonly waiting: number;
  stop: () => void;
}

export const createAdmission = ({ settings, time, isBehind, onWaited }: AdmissionOptions): Admission => {
  const loop = createLoopWatch(time);
  const queue = createQueue(settings, time.nowMs);
  let active = 0;
  let startsInTurn = 0;
  let isTurnOpen = false;
  let cancelLook: (() => void) | undefined;

  const openTurn = (): void => {
    if (!isTurnOpen) {
      isTurnOpen = true;
      // Below that nothing depends on the loop, and asking for the clocks costs.
      if (queue.length === 0 && active >= settings.activeRequests) loop.beginTurn();
      time.atEndOfTurn(endTurn);
    }
  };
  const endTurn = (): void => {
    isTurnOpen = false;
    startsInTurn = 0;
    queue.passTurn();
    loop.endTurn(queue.length > 0);
    beginWaiting();
    if (queue.length > 0 && !isTurnOpen) {
      cancelLook?.();
      cancelLook = time.after(lookAgainMs, () => isTurnOpen || endTurn());
    }
  };
  const mayBegin = (): boolean =>
    active < settings.activeRequests
      ? startsInTurn < startsPerTurn
      : startsInTurn < extraStartsPerTurn && !loop.isBehind() && !isBehind();
  const begin = (visitor: Visitor): void => {
    openTurn();
    startsInTurn += 1;
    active += 1;
    visitor.state = "active";
    visitor.begin();
  };
  const beginWaiting = (): void => {
    while (queue.length > 0 && mayBegin()) {
      const visitor = queue.next();
      onWaited(time.nowMs() - visitor.since);
      begin(visitor);
    }
  };
  return {
    get active() {
      return active;
    },
    get waiting() {
      return queue.length;
    },
    enter(visitor) {
      openTurn();
      if (queue.length === 0 && mayBegin()) begin(visitor);
      else queue.add(visitor);
    },
    leave(visitor) {
      if (visitor.state === "waiting") queue.drop(visitor);
      if (visitor.state === "active") {
        visitor.state = "over";
        active -= 1;
        beginWaiting();
      }
    },
    stop: () => cancelLook?.(),
  };
};

interface Queue {
  readonly length: number;
  /** Refuses it when nobody else can wait. */
  add: (visitor: Visitor) => void;
  /** Takes out the one whose turn it is; only while there are some. */
  next: () => Visitor;
  /** Its caller has gone. */
  drop: (visitor: Visitor) => void;
  /** A turn has ended: refuses those that have waited longer than any burst explains. */
  passTurn: () => void;
}

/** In the order of arrival, the urgent ones before. */
const createQueue = ({ queueMs, queuedRequests }: AdmissionSettings, nowMs: () => number): Queue => {
  const urgent: Visitor[] = [];
  const ordinary: Visitor[] = [];
  let length = 0;
  let waitingSince = 0;
  let emptySince = -Infinity;
  let takenAt = 0;
  /** Time from one request that is taken out to the next, on average over the last ones. */
  let paceMs = 0;
  let turns = 0;
  /** The oldest that still waits. */
  const oldest = (visitors: Visitor[]): Visitor | undefined => {
    while (visitors[0] !== undefined && visitors[0].state !== "waiting") visitors.shift();
    return visitors[0];
  };
  const hasWaited = (visitor: Visitor | undefined, ms: number): visitor is Visitor =>
    visitor !== undefined && nowMs() - visitor.since > ms;
  const stands = (): boolean =>
    length > 0 && turns >= burstTurns && nowMs() - waitingSince > burstFactor * queueMs;
  const takeOut = (): void => {
    length -= 1;
    if (length === 0) emptySince = nowMs();
  };
  const drop = (visitor: Visitor): void => {
    visitor.state = "over";
    takeOut();
  };
  const refusalOf = (mayWait: boolean): Refusal | undefined => {
    if (length >= queuedRequests) return "queue_full";
    return !mayWait && stands() && length * Math.max(paceMs, nowMs() - takenAt) > queueMs
      ? "queue_time"
      : undefined;
  };
  return {
    get length() {
      return length;
    },
    add(visitor) {
      const isUrgent = visitor.isUrgent();
      const refusal = refusalOf(isUrgent || visitor.isPatient());
      if (refusal !== undefined) {
        visitor.state = "over";
        visitor.refuse(refusal);
        return;
      }
      visitor.state = "waiting";
      visitor.since = nowMs();
      if (length === 0 && visitor.since - emptySince > burstFactor * queueMs) {
        waitingSince = visitor.since;
        takenAt = visitor.since;
        turns = 0;
      }
      length += 1;
      (isUrgent ? urgent : ordinary).push(visitor);
    },
    next() {
      const visitor = oldest(urgent) ?? oldest(ordinary);
      if (visitor === undefined) throw new Error("Nobody waits.");
      takeOut();
      const now = nowMs();
      paceMs += (Math.min(now - takenAt, queueMs) - paceMs) / paceWindow;
      takenAt = now;
      (visitor === urgent[0] ? urgent : ordinary).shift();
      return visitor;
    },
    drop,
    passTurn() {
      turns += 1;
      if (!stands()) return;
      for (const visitors of [urgent, ordinary]) {
        for (
          let visitor = oldest(visitors);
          hasWaited(visitor, overdueFactor * queueMs);
          visitor = oldest(visitors)
        ) {
          drop(visitor);
          visitor.refuse("queue_time");
        }
      }
    },
  };
};
