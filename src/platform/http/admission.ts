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
const burstTicks = 4;
/** Requests over which the pace of the queue is averaged. */
const paceWindow = 16;
/** Nobody waits longer than so many times `queueMs`, whatever holds the queue up. */
const overdueFactor = 20;

/** Requests begun in one turn, so that health checks and answers of the database come between. */
const startsPerTick = 8;
/** Of these beyond the requests that are always worked on: their number grows slowly, so that it stops in time. */
const extraStartsPerTick = 2;
/** How often a queue that waits for something else than the loop is looked at. */
const lookAgainMs = 5;

export type Refusal = "queue_time" | "queue_full";

/** A request. Either `begin` or `refuse` is called, at once or later, unless it leaves before. */
export interface QueuedRequest {
  begin: () => void;
  refuse: (reason: Refusal) => void;
  /** Whether it goes before the others that wait, and is not refused because of them. */
  isUrgent: () => boolean;
  /** Whether it waits in the queue, however slow that is, because its caller takes a refusal for the end. */
  isNeverRefused: () => boolean;
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
  enter: (request: QueuedRequest) => void;
  /** Its owner says that it is over, however it went; saying so again does nothing. */
  leave: (request: QueuedRequest) => void;
  readonly active: number;
  readonly waiting: number;
  stop: () => void;
}

export const createAdmission = ({ settings, time, isBehind, onWaited }: AdmissionOptions): Admission => {
  const loop = createLoopWatch(time);
  const queue = createQueue(settings, time.nowMs);
  let active = 0;
  let startsInTick = 0;
  let isTickOpen = false;
  let cancelLook: (() => void) | undefined;

  const openTick = (): void => {
    if (!isTickOpen) {
      isTickOpen = true;
      // Below that nothing depends on the loop, and asking for the clocks costs.
      if (queue.length === 0 && active >= settings.activeRequests) loop.beginTick();
      time.atEndOfTick(endTick);
    }
  };
  const endTick = (): void => {
    isTickOpen = false;
    startsInTick = 0;
    queue.passTick();
    loop.endTick(queue.length > 0);
    beginWaiting();
    if (queue.length > 0 && !isTickOpen) {
      cancelLook?.();
      cancelLook = time.after(lookAgainMs, () => isTickOpen || endTick());
    }
  };
  const mayBegin = (): boolean =>
    active < settings.activeRequests
      ? startsInTick < startsPerTick
      : startsInTick < extraStartsPerTick && !loop.isBehind() && !isBehind();
  const begin = (request: QueuedRequest): void => {
    openTick();
    startsInTick += 1;
    active += 1;
    request.state = "active";
    request.begin();
  };
  const beginWaiting = (): void => {
    while (queue.length > 0 && mayBegin()) {
      const request = queue.next();
      onWaited(time.nowMs() - request.since);
      begin(request);
    }
  };
  return {
    get active() {
      return active;
    },
    get waiting() {
      return queue.length;
    },
    enter(request) {
      openTick();
      if (queue.length === 0 && mayBegin()) begin(request);
      else queue.add(request);
    },
    leave(request) {
      if (request.state === "waiting") queue.drop(request);
      if (request.state === "active") {
        request.state = "over";
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
  add: (request: QueuedRequest) => void;
  /** Takes out the one whose turn it is; only while there are some. */
  next: () => QueuedRequest;
  /** Its caller has gone. */
  drop: (request: QueuedRequest) => void;
  /** A turn has ended: refuses those that have waited longer than any burst explains. */
  passTick: () => void;
}

/** In the order of arrival, the urgent ones before. */
const createQueue = ({ queueMs, queuedRequests }: AdmissionSettings, nowMs: () => number): Queue => {
  const urgent: QueuedRequest[] = [];
  const ordinary: QueuedRequest[] = [];
  let length = 0;
  let waitingSince = 0;
  let emptySince = -Infinity;
  let takenAt = 0;
  /** Time from one request that is taken out to the next, on average over the last ones. */
  let paceMs = 0;
  let ticks = 0;
  /** The oldest that still waits. */
  const oldest = (requests: QueuedRequest[]): QueuedRequest | undefined => {
    while (requests[0] !== undefined && requests[0].state !== "waiting") requests.shift();
    return requests[0];
  };
  const hasWaited = (request: QueuedRequest | undefined, ms: number): request is QueuedRequest =>
    request !== undefined && nowMs() - request.since > ms;
  const isOverloaded = (): boolean =>
    length > 0 && ticks >= burstTicks && nowMs() - waitingSince > burstFactor * queueMs;
  const takeOut = (): void => {
    length -= 1;
    if (length === 0) emptySince = nowMs();
  };
  const drop = (request: QueuedRequest): void => {
    request.state = "over";
    takeOut();
  };
  const refusalOf = (mayWait: boolean): Refusal | undefined => {
    if (length >= queuedRequests) return "queue_full";
    return !mayWait && isOverloaded() && length * Math.max(paceMs, nowMs() - takenAt) > queueMs
      ? "queue_time"
      : undefined;
  };
  return {
    get length() {
      return length;
    },
    add(request) {
      const isUrgent = request.isUrgent();
      const refusal = refusalOf(isUrgent || request.isNeverRefused());
      if (refusal !== undefined) {
        request.state = "over";
        request.refuse(refusal);
        return;
      }
      request.state = "waiting";
      request.since = nowMs();
      if (length === 0 && request.since - emptySince > burstFactor * queueMs) {
        waitingSince = request.since;
        takenAt = request.since;
        ticks = 0;
      }
      length += 1;
      (isUrgent ? urgent : ordinary).push(request);
    },
    next() {
      const request = oldest(urgent) ?? oldest(ordinary);
      if (request === undefined) throw new Error("Nobody waits.");
      takeOut();
      const now = nowMs();
      paceMs += (Math.min(now - takenAt, queueMs) - paceMs) / paceWindow;
      takenAt = now;
      (request === urgent[0] ? urgent : ordinary).shift();
      return request;
    },
    drop,
    passTick() {
      ticks += 1;
      if (!isOverloaded()) return;
      for (const requests of [urgent, ordinary]) {
        for (
          let request = oldest(requests);
          hasWaited(request, overdueFactor * queueMs);
          request = oldest(requests)
        ) {
          drop(request);
          request.refuse("queue_time");
        }
      }
    },
  };
};
