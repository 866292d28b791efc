/** The product as a process with a database of its own, an agent with tools of the platform, and a scripted model. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servedUrl, startChild, stopChild } from "../crash/processes.ts";
import { rules } from "./scripted-model-rules.ts";
import { waitLimitMs } from "../support/eventually.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";
import { send, type Answer, type Call } from "../support/server.ts";

export interface World {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  token: string;
  headers: Record<string, string>;
  /** The name that clients call the agent by. */
  agent: string;
  model: ScriptedModel;
  /** An operation of the assistant. */
  assistant(call: Call): Promise<Answer>;
  close(): Promise<void>;
}

const token = "token-of-the-clients-0000";
const agent = "Tester";

export async function openWorld(): Promise<World> {
  const cwd = await mkdtemp(join(tmpdir(), "plinth-clients-"));
  const model = await startScriptedModel(rules);
  await writeFile(join(cwd, "plinth.yaml"), JSON.stringify(settings));
  const child = startChild("src/cli/plinth.mjs", ["start"], { cwd, env: {} });
  const close = async (): Promise<void> => {
    await stopChild(child);
    await model.close();
    await rm(cwd, { recursive: true, force: true });
  };
  try {
    const url = await servedUrl(child);
    const headers = { authorization: `Bearer ${token}` };
    const assistant = (call: Call): Promise<Answer> =>
      send(`${url}/api/assistant/v2`, { ...call, as: null, headers });
    await prepare(assistant, model);
    return { url, token, headers, agent, model, assistant, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const settings = {
  server: { port: 0, rateLimitPerMinute: 100_000 },
  outbound: { allowPrivateNetworks: true },
  assistant: { titles: "message" },
  startupActions: { catalog: { practiceShaperLocations: [], accessRequestLocations: [], locations: [] } },
  auth: {
    providers: { service: { default: { tokens: [{ name: "clients", secret: token, roles: ["admin"] }] } } },
  },
};

async function prepare(assistant: World["assistant"], model: ScriptedModel): Promise<void> {
  const config = { provider: "openai", endpoint: model.url, api_key: "of-the-test", model: "scripted" };
  const made = [
    await assistant({ method: "POST", path: "/llm/config", body: config }),
    await assistant({
      method: "POST",
      path: "/agents",
      body: {
        name: agent,
        label: agent,
        description: "Answers.",
        instructions: "Answer.",
        is_default: true,
        mcp_tools: [
          { server: "platform", name: "search_templates" },
          { server: "platform", name: "terminate_provisioning" },
        ],
      },
    }),
  ];
  for (const { status, text } of made) if (status >= 300) throw new Error(`Not prepared: ${status} ${text}`);
}

/** Waits until the model sees that the client is gone, and the run with it. */
export async function untilStopped(world: World, before: number): Promise<void> {
  const end = performance.now() + waitLimitMs;
  for (;;) {
    const asked = world.model.requests.slice(before);
    if (asked.length > 0 && asked.every(({ isCut }) => isCut)) return;
    if (performance.now() > end) {
      const { text } = await world.assistant({ path: "/sessions?limit=1" });
      throw new Error(`The model was still asked ${waitLimitMs} ms after the stop: ${text.slice(0, 300)}`);
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

export function expectText(text: string | null | undefined, wanted: RegExp): void {
  if (!wanted.test(text ?? ""))
    throw new Error(`Instead of ${String(wanted)}: ${(text ?? "nothing").slice(0, 500)}`);
}
