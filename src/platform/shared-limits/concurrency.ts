/** This process's shares of limits of what is at work at once, and what it needs of them. */
import type { Decision, ShareRow, Want } from "./plan-round.ts";

/** One limit, as the part of the process that begins the work counts it. */
export interface Need {
  name: string;
  /** For all processes together. */
  limit: number;
  used: number;
  waiting: number;
}

export interface AtOnceSource {
  /** Every limit that something is at work under, or waits for. */
  needs(): Need[];
  /** More may begin. */
  onGrown(): void;
}

/** What whoever begins work asks; it never waits for the database. */
export interface Shares {
  /** How many may be at work under that name in this process. */
  usable(name: string, limit: number): number;
  /** Something waits: take a share soon, unless the others know already. */
  ask(name: string): void;
  /** In use by other processes, as far as is known. */
  usedElsewhere(name: string): number;
}

/** Each process has the whole of every limit. */
export const wholeLimits: Shares = {
  usable: (_name, limit) => limit,
  ask: () => undefined,
  usedElsewhere: () => 0,
};

/** A share that nothing has used for this time is given back even though nobody waits for it. */
const idleMs = 30_000;
const tickMs = 500;
/** A process that did not run for this long begins nothing before its next round. */
const pausedMs = 3_000;

interface Held {
  usable: number;
  limit: number;
  isAsked: boolean;
  usedElsewhere: number;
  idleSince: number | null;
}

export type Concurrency = ReturnType<typeof createConcurrency>;

export function createConcurrency(wake: () => void, nowMs: () => number = () => performance.now()) {
  const held = new Map<string, Held>();
  let source: (AtOnceSource & { begin(): void }) | undefined;
  const pause = watchPauses(wake, nowMs);
  const entry = (name: string): Held => {
    const known = held.get(name);
    if (known) return known;
    const made = { usable: 0, limit: 0, isAsked: false, usedElsewhere: 0, idleSince: null };
    held.set(name, made);
    return made;
  };

  return {
    join(joined: AtOnceSource & { begin(): void }): void {
      source = joined;
      pause.start();
    },
    shares: {
      usable: (name, limit) => (pause.isPaused() ? 0 : Math.min(limit, held.get(name)?.usable ?? 0)),
      ask(name) {
        const own = entry(name);
        if (own.isAsked) return;
        own.isAsked = true;
        source?.begin();
        wake();
      },
      usedElsewhere: (name) => held.get(name)?.usedElsewhere ?? 0,
    } satisfies Shares,
    /**
     * Also of the rows that nothing is needed of any more. What has neither is forgotten: others may have removed the row and
     * taken the share while this process did not run.
     */
    wants(rows: readonly ShareRow[]): Want[] {
      pause.roundBegins();
      const needed = (source?.needs() ?? []).filter(({ used, waiting }) => used + waiting > 0);
      const needs = new Map(needed.map((need) => [need.name, need]));
      for (const { name, period } of rows)
        if (period === 0 && !needs.has(name))
          needs.set(name, { name, limit: held.get(name)?.limit ?? 0, used: 0, waiting: 0 });
      for (const name of held.keys()) if (!needs.has(name)) held.delete(name);
      return [...needs.values()].map(({ name, limit, used, waiting }) => {
        const own = entry(name);
        own.limit = limit;
        own.idleSince = used + waiting > 0 ? null : (own.idleSince ?? nowMs());
        return { name, period: 0, limit, used, demand: used + Math.min(waiting, limit), implied: 0 };
      });
    },
    /** Names whose rows are to go: idle for long, or wanted by others. */
    idle(waiting: readonly ShareRow[]): string[] {
      const wanted = new Set(waiting.map(({ name }) => name));
      return [...held].flatMap(([name, { idleSince }]) =>
        idleSince !== null && (wanted.has(name) || nowMs() - idleSince > idleMs) ? [name] : [],
      );
    },
    tighten(decisions: readonly Decision[], dropped: readonly string[]): void {
      for (const name of dropped) held.delete(name);
      for (const { name, period, usable } of decisions) {
        const own = period === 0 ? held.get(name) : undefined;
        if (own) own.usable = Math.min(own.usable, usable);
      }
    },
    apply(decisions: readonly Decision[]): void {
      let hasGrown = false;
      for (const { name, period, usable, demand, share, usedElsewhere } of decisions) {
        if (period !== 0) continue;
        const own = entry(name);
        hasGrown ||= usable > own.usable;
        Object.assign(own, { usable, usedElsewhere, isAsked: demand > share });
      }
      if (hasGrown) source?.onGrown();
    },
    /** A round has ended, with or without the database. */
    hasRun(): void {
      if (pause.hasEnded()) source?.onGrown();
    },
    close: pause.stop,
  };
}

/** Notices that the process did not run, until a round that began afterwards is over. */
function watchPauses(wake: () => void, nowMs: () => number) {
  let tickedAt = nowMs();
  let wasPaused = false;
  let isKnownToRound = false;
  let timer: NodeJS.Timeout | undefined;
  const isPaused = (): boolean => {
    if (nowMs() - tickedAt > pausedMs) wasPaused = true;
    return wasPaused;
  };
  return {
    isPaused,
    start(): void {
      tickedAt = nowMs();
      timer = setInterval(() => {
        if (isPaused()) wake();
        tickedAt = nowMs();
      }, tickMs);
      timer.unref();
    },
    stop: (): void => clearInterval(timer),
    roundBegins(): void {
      isKnownToRound = isPaused();
    },
    /** Whether the round that is over has ended a pause. */
    hasEnded(): boolean {
      if (!wasPaused || !isKnownToRound) return false;
      wasPaused = false;
      isKnownToRound = false;
      return true;
    },
  };
}
