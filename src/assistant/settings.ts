/** Settings of the assistant's services and workers, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";

export interface AssistantSettings {
  /** Address under which others reach this server, without a slash at its end. */
  baseUrl: string;
  /** `assistant` of the configuration: budgets, approvals, prices and more. */
  runs: RunSettings;
}

export type RunSettings = Config["assistant"];

/** @param url where the process really listens, which port 0 leaves open. */
export function assistantSettings({ server, assistant }: Config, url: string | null): AssistantSettings {
  const ownUrl = server.baseUrl ?? url ?? `http://${server.host}:${server.port}`;
  return { baseUrl: ownUrl.replace(/\/+$/, ""), runs: assistant };
}
