/** One server process of the product that is kept up: it is started again whenever it has ended, as an orchestrator does it. */
import { servedUrl, startChild, type Child, type ChildOptions } from "../../crash/processes.ts";
import type { Wire } from "../wire.ts";
import type { Ending } from "./records.ts";

export interface Instance {
  name: string;
  /** Its own way to the database. */
  wire: Wire;
  /** Where it serves; null while it is not up. */
  url(): string | null;
  pid(): number | null;
  /** Whether at some moment of that time it was not up, or stood still. */
  wasAway(from: number, to: number): boolean;
  endings: Ending[];
  /** How long it took from the start of each process until it was up, in ms. */
  startsMs: number[];
  /** Has it started, and again after every end, until it is closed. */
  keepUp(): void;
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process is gone. One that does not go is killed after a while. */
  terminate(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** The last SIGTERM. */
  close(): Promise<void>;
}

export interface InstanceOptions {
  name: string;
  program: string;
  wire: Wire;
  settings: ChildOptions;
}

interface ProcessRun {
  child: Child;
  from: number;
  url: string | null;
  /** What was done to it, and when. */
  signal: { name: "asked" | "killed"; at: number } | null;
  hasLogged: boolean;
}

/** Longest time that a start may neither succeed nor end. */
const longestStartMs = 90_000;
/** What a process is given after SIGTERM before it counts as deaf. */
const waitLimitMs = 30_000;
const restartPauseMs = 300;

export function createInstance({ name, program, wire, settings }: InstanceOptions): Instance {
  const endings: Ending[] = [];
  const startsMs: number[] = [];
  const away: { from: number; to: number | null }[] = [{ from: 0, to: null }];
  let processRun: ProcessRun | null = null;
  let isWanted = false;
  let running: Promise<void> = Promise.resolve();

  const leave = (): void => {
    if (away.at(-1)?.to !== null) away.push({ from: Date.now(), to: null });
  };
  const comeBack = (): void => {
    const last = away.at(-1);
    if (last) last.to ??= Date.now();
  };
  const live = async (): Promise<void> => {
    const child = startChild(program, ["start", "--port", "0"], settings);
    const own: ProcessRun = { child, from: Date.now(), url: null, signal: null, hasLogged: false };
    processRun = own;
    const tooLong = setTimeout(() => child.process.kill("SIGKILL"), longestStartMs);
    let said = "";
    child.waitForLine(() => (own.hasLogged = true)).catch(() => undefined);
    servedUrl(child)
      .then((url) => {
        clearTimeout(tooLong);
        if (own.signal) return;
        own.url = url;
        startsMs.push(Date.now() - own.from);
        comeBack();
      })
      .catch((error: Error) => (said = error.message));
    await child.gone;
    leave();
    clearTimeout(tooLong);
    processRun = null;
    const isBeforeItsFirstLine = !own.hasLogged && child.process.signalCode === "SIGTERM";
    const asked = isBeforeItsFirstLine ? "asked unborn" : own.url === null ? "asked at its start" : "asked";
    const unasked = own.signal?.name ?? (own.url === null ? "start failed" : "itself");
    const how = own.signal?.name === "asked" ? asked : unasked;
    const to = Date.now();
    const tookMs = to - (own.signal?.at ?? own.from);
    endings.push({ instance: name, how, code: child.process.exitCode, tookMs, from: own.from, to, said });
  };
  const run = async (): Promise<void> => {
    while (isWanted) {
      await live();
      if (isWanted) await new Promise((next) => setTimeout(next, restartPauseMs));
    }
  };
  const signal = async (how: "asked" | "killed"): Promise<void> => {
    const own = processRun;
    if (!own) return;
    leave();
    own.signal = { name: how, at: Date.now() };
    own.child.process.kill(how === "asked" ? "SIGTERM" : "SIGKILL");
    const timer = setTimeout(() => own.child.process.kill("SIGKILL"), waitLimitMs);
    await own.child.gone;
    clearTimeout(timer);
  };

  return {
    name,
    wire,
    url: () => processRun?.url ?? null,
    pid: () => (processRun?.url ? (processRun.child.process.pid ?? null) : null),
    wasAway: (from, to) => away.some((gap) => gap.from <= to && (gap.to ?? Infinity) >= from),
    endings,
    startsMs,
    keepUp() {
      if (isWanted) return;
      isWanted = true;
      running = run();
    },
    kill: () => signal("killed"),
    terminate: () => signal("asked"),
    freeze() {
      leave();
      processRun?.child.process.kill("SIGSTOP");
    },
    thaw() {
      processRun?.child.process.kill("SIGCONT");
      if (processRun?.url) comeBack();
    },
    async close() {
      isWanted = false;
      await signal("asked");
      await running;
    },
  };
}
