/**
 * Which requests are worked on now, which wait, and which are refused: admission by queue time.
 *
 * * A request waits for the event loop and for database connections, in queues that cannot refuse it. While
 * one of them is behind, new requests wait here instead, where the wait is measured. A burst may wait. When
 * the queue does not empty, more requests arrive than can be handled: then a request that would wait too long
 * is refused at once, before any work is spent on it.
 */
import { createLoopWatch, type LoopTime } from "./loop-watch.ts";

export interface AdmissionSettings {
  /** Requests handled at a time even when something is behind; more only while nothing is. */
  activeRequests: number;
  /**
   * Once overloaded, a request is accepted only if its expected wait, by the pace of the others, is shorter.
   */
  queueMs: number;
  /** Longest queue. */
  queuedRequests: number;
}

export const defaultAdmission: AdmissionSettings = { activeRequests: 4, queueMs: 100, queuedRequests: 1000 };

/**
 * The server is overloaded when requests have been waiting for this many times `queueMs`, and until the queue
 * has been empty for as long: a queue that is empty for a moment does not show that the server keeps up.
 */
const burstFactor = 4;
/**
 * The queue must also have lasted this many ticks of the event loop: a process that was paused finds all
 * requests at once.
 */
const burstTicks = 4;
/** Requests over which the pace of the queue is averaged. */
const paceWindow = 16;
/** No request waits longer than this many times `queueMs`, whatever the cause. */
const overdueFactor = 20;

/**
 * Requests started in one tick of the event loop, so that health checks and database responses come in
 * between.
 */
const startsPerTick = 8;
/** Starts per tick beyond `activeRequests`: the number of active requests grows slowly, so that it stops in time. */
const extraStartsPerTick = 2;
/** How often the queue is checked while it waits for something other than the event loop. */
const lookAgainMs = 5;

export type Refusal = "queue_time" | "queue_full";

/** Either `begin` or `refuse` is called, at once or later, unless the request leaves before. */
export interface QueuedRequest {
  begin: () => void;
  refuse: (reason: Refusal) => void;
  /** Whether it goes before the waiting ones, and is not refused because of them. */
  isUrgent: () => boolean;
  /** Whether it waits however slow the queue is, because its caller would not try again after a refusal. */
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
  /** The request has ended, however it went. Calling it again has no effect. */
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
      // With fewer requests nothing depends on the loop, and reading the clocks costs time.
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
      const now = time.nowMs();
      const request = queue.next(now);
      onWaited(now - request.since);
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
  /** Refuses the request when the queue is full or too slow. */
  add: (request: QueuedRequest) => void;
  /** Removes and returns the next one; only while the queue is not empty. */
  next: (now: number) => QueuedRequest;
  /** Drops a request whose caller has disconnected. */
  drop: (request: QueuedRequest) => void;
  /** A tick has ended: refuses requests that have waited too long. */
  passTick: () => void;
}

/** A queue in the order of arrival, urgent requests first. */
const createQueue = ({ queueMs, queuedRequests }: AdmissionSettings, nowMs: () => number): Queue => {
  const urgent: QueuedRequest[] = [];
  const ordinary: QueuedRequest[] = [];
  let length = 0;
  let waitingSince = 0;
  let emptySince = -Infinity;
  let takenAt = 0;
  /** Average time between two requests leaving the queue, over the last ones. */
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
  const takeOut = (now: number): void => {
    length -= 1;
    if (length === 0) emptySince = now;
  };
  const drop = (request: QueuedRequest): void => {
    request.state = "over";
    takeOut(nowMs());
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
    next(now) {
      const request = oldest(urgent) ?? oldest(ordinary);
      if (request === undefined) throw new Error("Nobody waits.");
      takeOut(now);
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
