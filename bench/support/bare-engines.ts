/** The policy engines without anything around them, as a baseline. */
import { createEngines } from "../../src/governance/engines/engines.ts";
import type { EngineInput, PolicyEngines } from "../../src/governance/engines/engine.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { median } from "./fixtures.ts";

export interface BareWork {
  config: Config;
  inputs: readonly EngineInput[];
  /** CEL expressions; each is evaluated over each input. */
  asserts: readonly string[];
  rounds: number;
  /** Inputs of one batch. */
  batch?: number;
}

/** Median time of a round in ms; the first one, which compiles, does not count. */
export async function timeBareEngines({
  config,
  inputs,
  asserts,
  rounds,
  batch = inputs.length,
}: BareWork): Promise<number> {
  const { threads, timeoutMs, memoryMb } = config.governance.engines;
  const outbound = openOutboundClients(config.outbound, silentLogger);
  const engines: PolicyEngines = createEngines({
    outbound: outbound.clients.adapters,
    threads,
    stepTimeoutMs: timeoutMs,
    maxMemoryMb: memoryMb,
    startLate: false,
  });
  const took: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    for (let at = 0; at < inputs.length; at += batch) {
      const some = inputs.slice(at, at + batch);
      const jobs = some.flatMap((_, input) =>
        asserts.map((assert, n) => ({
          key: `bare-${n}`,
          kind: "policy" as const,
          spec: { engine: "cel" as const, assert },
          input,
          id: "",
        })),
      );
      await engines.evaluate(some, jobs, new AbortController().signal);
    }
    took.push(performance.now() - from);
  }
  await engines.close();
  await outbound.close();
  return median(took.slice(1));
}
