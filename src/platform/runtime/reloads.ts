/**
 * Other settings for a process that works. What a configuration changes is prepared by every part before any of them takes it, so
 * that a refusal leaves all of them as they were; then all take it without a pause in between, so that no request sees a half of it.
 */
import { planReload, type ReloadPlan } from "../config/reloadable.ts";
import type { Config } from "../config/schema/schema.ts";
import { createOneByOne } from "../lib/one-by-one.ts";

/**
 * Throws or rejects where the part can't take the configuration, and has changed nothing then. The function that it returns takes
 * it: at once, and without failing.
 */
export type PrepareReload = (next: Config) => (() => void) | Promise<() => void>;

export interface Reloads {
  /** The configuration as the last reload left it. */
  config: () => Config;
  /** Parts prepare in the reverse order of their coming. */
  add(prepare: PrepareReload): void;
  /** Takes what can be taken of the configuration; one reload at a time. Rejects as the first part does that refuses. */
  reload(next: Config): Promise<Omit<ReloadPlan, "config">>;
}

export function createReloads(started: Config): Reloads {
  let config = started;
  const parts: PrepareReload[] = [];
  const reload = async (next: Config): Promise<Omit<ReloadPlan, "config">> => {
    const { config: wanted, changed, needRestart } = planReload(config, next);
    const prepared: (() => void)[] = [];
    // The keys of the installation come last: what they prepare is seen by other processes.
    for (const prepare of parts.toReversed()) prepared.push(await prepare(wanted));
    config = wanted;
    for (const take of prepared) take();
    return { changed, needRestart };
  };
  const oneByOne = createOneByOne();
  return {
    config: () => config,
    add: (prepare) => void parts.push(prepare),
    reload: (next) => oneByOne(() => reload(next)),
  };
}
