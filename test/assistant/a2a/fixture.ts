/** A server whose agents are asked by A2A. */
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Rule, Turn } from "../../support/scripted-model/script.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import type { WholeServer } from "../../support/server.ts";
import { testTools } from "../runs/agents.ts";
import { freePort } from "../../support/http-peer.ts";
import { startModelServer } from "../model-server.ts";

export interface Fixture {
  server: WholeServer;
  model: ScriptedModel;
}

export const tools = testTools();
export const root = "/api/assistant/a2a";
export const versions = ["1.0", "0.3"] as const;
export type Version = (typeof versions)[number];

/** A long answer, a word at a time. */
export const many = Array.from({ length: 30 }, (_, n) => `${n} `);
const wordMs = 30;
/** A test may change its pace while it goes on. */
export const longTurn: Turn = { tokens: many, tokenMs: wordMs };

/** For a whole test file. */
export function useFixture(): Fixture {
  const fixture = {} as Fixture;
  beforeAll(async () => {
    // The card tells the server's address, so it has to be known before the start.
    const port = await freePort();
    const configure = (config: Config): void => void (config.server.port = port);
    Object.assign(fixture, await startModelServer([], { tools, configure }));
  });
  afterAll(() => fixture.server.close());
  beforeEach(() => {
    tools.calls.length = 0;
    fixture.model.requests.length = 0;
    longTurn.tokenMs = wordMs;
    fixture.model.follow(rules);
  });
  return fixture;
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
  { role: "user", last: "long", turn: longTurn },
  { role: "tool", last: "Error: the user did not allow", turn: { text: "Then not." } },
  { role: "tool", turn: { text: "It is blue." } },
  { turn: { tokens: ["Good ", "morning", "\n\u2028 ✓"] } },
];
