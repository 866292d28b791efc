/** Pure: the providers of models, and the other names that they go by. */

export type ModelKind = "llm" | "embedder";

const providers = ["openai", "azure_openai", "openai-compatible", "anthropic", "google", "bedrock"] as const;
export type Provider = (typeof providers)[number];

const aliases: Record<string, Provider> = {
  azure: "azure_openai",
  ollama: "openai-compatible",
  vllm: "openai-compatible",
  litellm: "openai-compatible",
};

export const providerNames: readonly string[] = [...providers, ...Object.keys(aliases)];

/** Null for an empty name. */
export const providerOf = (name: string): Provider | null =>
  aliases[name] ?? providers.find((provider) => provider === name) ?? null;

export interface Destination {
  provider: string;
  /** Empty for the provider's own. */
  endpoint: string;
  deployment: string;
}

/** Whether what is sent by one configuration and by the other reaches the same. Spellings of one address are the same. */
export const isSameDestination = (one: Destination, other: Destination): boolean =>
  providerOf(one.provider) === providerOf(other.provider) &&
  normalizedAddress(one.endpoint) === normalizedAddress(other.endpoint) &&
  one.deployment.trim() === other.deployment.trim();

/** A text that is no address is none of the others. */
function normalizedAddress(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text.trim() : `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}
