/** The policy engines without anything around them, as a baseline. */
import { createEngines } from "../../src/governance/engines/engines.ts";
import type { EngineInput, PolicyEngines } from "../../src/governance/engines/engine.ts";
import type { LocalSpec } from "../../src/governance/engines/jobs.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { median } from "./fixtures.ts";

export interface BareWork {
  config: Config;
  inputs: readonly EngineInput[];
  /** Each is evaluated over each input. */
  specs: readonly LocalSpec[];
  rounds: number;
  /** Inputs of one batch. */
  batch?: number;
}

export interface Use {
  clockMs: number;
  /** Of all threads of this process. */
  cpuMs: number;
}

/** Medians of a round; the first one, which compiles, does not count. */
export async function timeBareEngines({
  config,
  inputs,
  specs,
  rounds,
  batch = inputs.length,
}: BareWork): Promise<Use> {
  const { threads, timeoutMs, memoryMb } = config.governance.engines;
  const outbound = openOutboundClients(config.outbound, silentLogger);
  const engines: PolicyEngines = createEngines({
    outbound: outbound.clients.adapters,
    threads,
    stepTimeoutMs: timeoutMs,
    maxMemoryMb: memoryMb,
    startLate: false,
  });
  const took: Use[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    const cpu = process.cpuUsage();
    for (let at = 0; at < inputs.length; at += batch) {
      const some = inputs.slice(at, at + batch);
      const jobs = some.flatMap((_, input) =>
        specs.map((spec, n) => ({
          key: `bare-${n}`,
          kind: "policy" as const,
          spec,
          input,
          id: "",
        })),
      );
      await engines.evaluate(some, jobs, new AbortController().signal);
    }
    const { user, system } = process.cpuUsage(cpu);
    took.push({ clockMs: performance.now() - from, cpuMs: (user + system) / 1_000 });
  }
  await engines.close();
  await outbound.close();
  const counted = took.slice(1);
  return {
    clockMs: median(counted.map(({ clockMs }) => clockMs)),
    cpuMs: median(counted.map(({ cpuMs }) => cpuMs)),
  };
}
