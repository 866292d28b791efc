/** What the assistant's services and its worker take from the configuration. */
import type { Config } from "../platform/config/schema.ts";

export interface AssistantSettings {
  /** Address under which others reach this server, without a slash at its end. */
  baseUrl: string;
  /** `assistant` of the configuration: what a run may use up, which calls wait for the user, prices. */
  runs: RunSettings;
}

export type RunSettings = Config["assistant"];

export function assistantSettings({ server, assistant }: Config): AssistantSettings {
  const ownUrl = server.baseUrl ?? `http://${server.host}:${server.port}`;
  return { baseUrl: ownUrl.replace(/\/+$/, ""), runs: assistant };
}
