/** The assistant of the stories: a scripted model, conversations, and a tool call that waits. */
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { assistantScript } from "./assistant-script.ts";
import type { Caller } from "./caller.ts";
import { until } from "./until.ts";

export const startAssistantModel = (): Promise<ScriptedModel> => startScriptedModel(assistantScript);

const base = "/api/assistant/v2";

export async function seedAssistant(
  { guest, model }: { guest: Caller; model: ScriptedModel },
  withSessions: boolean,
): Promise<void> {
  const settings = {
    provider: "openai-compatible",
    endpoint: model.url,
    model: "scripted",
    api_key: "not-a-secret",
  };
  await guest.call("POST", `${base}/llm/config`, settings);
  if (!withSessions) return;
  await guest.call("POST", `${base}/task/sync`, { message: "What waits for me?" });
  await guest.call("POST", `${base}/task/sync`, { message: "Stop the deployment of rail-delays" });
  await until(
    () => guest.call("GET", `${base}/approvals`),
    ({ data }) => data.length === 1,
  );
}
