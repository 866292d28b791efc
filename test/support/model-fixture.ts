/** A scripted model and an outbound client that calls it. A TEST PROGRAM's stage; the product never starts it. */
import { createOutbound, type Outbound } from "../../src/platform/outbound/outbound.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import type { Script } from "./scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "./scripted-model/server.ts";

export interface ModelFixture {
  model: ScriptedModel;
  outbound: Outbound;
  close: () => Promise<void>;
}

export async function startModelFixture(script: Script): Promise<ModelFixture> {
  const model = await startScriptedModel(script);
  const policy = {
    allowedSchemes: ["http"],
    blockedHosts: [],
    allowPrivateNetworks: true,
    maxResponseBytes: 1_000_000,
    timeoutMs: 5_000,
  };
  const outbound = createOutbound(policy, silentLogger);
  return {
    model,
    outbound,
    async close() {
      await outbound.close();
      await model.close();
    },
  };
}
