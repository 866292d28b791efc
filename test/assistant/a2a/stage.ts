/** A server whose agents are asked by A2A. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Rule } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "../runs/agents.ts";
import { freePort } from "../../support/http-peer.ts";

export interface Stage {
  server: WholeServer;
  model: ScriptedModel;
}

export const tools = testTools();
export const root = "/api/assistant/a2a";
export const versions = ["1.0", "0.3"] as const;
export type Version = (typeof versions)[number];

/** A long answer, a word at a time. */
export const many = Array.from({ length: 30 }, (_, n) => `${n} `);

/** For a whole test file. */
export function useStage(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.model = await startScriptedModel([]);
    stage.server = await startWholeServer({
      replaced: { runs: testPorts(stage.model.url), tools },
      async configure(config) {
        config.assistant.titles = "message";
        config.server.port = await freePort();
      },
    });
  });
  afterAll(async () => {
    await stage.server.close();
    await stage.model.close();
  });
  beforeEach(() => {
    tools.calls.length = 0;
    stage.model.requests.length = 0;
    stage.model.follow(rules);
  });
  return stage;
}

const rules: Rule[] = [
  {
    role: "user",
    last: "Please look",
    turn: { text: "I look.", calls: [{ name: "unit__look", arguments: { at: "sea" } }] },
  },
  { role: "user", last: "remove", turn: { calls: [{ name: "unit__remove", arguments: { what: "x" } }] } },
  { role: "user", last: "break", turn: { text: "Half an answer", cutAfter: 2, tokenMs: 20 } },
  { role: "user", last: "endless", turn: { text: "on", endless: true, tokenMs: 10 } },
  { role: "user", last: "long", turn: { tokens: many, tokenMs: 30 } },
  { role: "tool", last: "Error: the user did not allow", turn: { text: "Then not." } },
  { role: "tool", turn: { text: "It is blue." } },
  { turn: { tokens: ["Good ", "morning", "\n\u2028 ✓"] } },
];
