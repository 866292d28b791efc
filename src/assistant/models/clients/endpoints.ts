/** Pure: the address and headers of a model, by its provider. */
import type { ModelConfig } from "../read-model.ts";
import { unavailable } from "./refusals.ts";

export interface ChatEndpoint {
  url: string;
  headers: Record<string, string>;
  /** The name of the model in the body. */
  model: string;
}

/** Providers that speak Chat Completions; the others have packages of their own. */
export const chatProviders = ["openai", "azure_openai", "openai-compatible"] as const;

const usualEndpoint = "https://api.openai.com/v1";

export function chatEndpoint(config: ModelConfig, operation = "chat/completions"): ChatEndpoint {
  const isAzure = config.provider === "azure_openai";
  const auth: Record<string, string> =
    config.apiKey === ""
      ? {}
      : isAzure
        ? { "api-key": config.apiKey }
        : { authorization: `Bearer ${config.apiKey}` };
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...auth };
  for (const [name, value] of config.customHeaders) Object.assign(headers, { [name.toLowerCase()]: value });
  if (config.endpoint === "" && config.provider !== "openai") {
    throw unavailable(`The configuration of the model has no endpoint, which ${config.provider} needs.`);
  }
  const base = (config.endpoint || usualEndpoint).replace(/\/+$/, "");
  const model = config.model || config.deployment;
  if (!isAzure) {
    const url = base.endsWith(`/${operation}`) ? base : `${base}/${operation}`;
    return { url, headers, model };
  }
  const root = base.replace(/\/openai(?:\/v1)?$/, "");
  const deployment = config.deployment || config.model;
  if (config.apiVersion === "" || config.apiVersion === "v1") {
    return { url: `${root}/openai/v1/${operation}`, headers, model: deployment };
  }
  const version = encodeURIComponent(config.apiVersion);
  const path = `${root}/openai/deployments/${encodeURIComponent(deployment)}/${operation}`;
  return { url: `${path}?api-version=${version}`, headers, model };
}
