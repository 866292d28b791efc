/** A whole server whose runs ask a scripted model. */
import type { ReplacedParts } from "../../src/assistant/module.ts";
import type { Script } from "../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";
import { startWholeServer, type WholeServer, type WholeServerOptions } from "../support/server.ts";
import { testPorts } from "./runs/agents.ts";

export interface ModelServer {
  /** Its end is the model's too. */
  server: WholeServer;
  model: ScriptedModel;
}

/** An answer that goes on until it is stopped. */
export const endlessAnswer: Script = [{ turn: { text: "word ", endless: true, tokenMs: 200 } }];

export interface ModelServerOptions {
  /** In place of the product's; with them come the agents in memory that have them. */
  tools?: ReplacedParts["tools"];
  configure?: WholeServerOptions["configure"];
}

/** A title is the message that it stands for, so that the model is asked for the runs alone. */
export async function startModelServer(
  script: Script,
  { tools, configure }: ModelServerOptions = {},
): Promise<ModelServer> {
  const model = await startScriptedModel(script);
  const ports = testPorts(model.url);
  const server = await startWholeServer({
    replaced: tools ? { runs: ports, tools } : { runs: { readModel: () => ports.readModel() } },
    async configure(config) {
      config.assistant.titles = "message";
      await configure?.(config);
    },
  });
  const close = async (): Promise<void> => {
    await server.close();
    await model.close();
  };
  return { model, server: { ...server, close } };
}
