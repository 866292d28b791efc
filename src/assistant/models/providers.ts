/** Pure: the providers of models with their aliases, and whether two configurations have the same destination. */

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
  /** Empty for the provider's default. */
  endpoint: string;
  deployment: string;
}

/** Whether both configurations send secrets to the same destination. Spellings of one address are the same. */
export const isSameDestination = (one: Destination, other: Destination): boolean =>
  providerOf(one.provider) === providerOf(other.provider) &&
  normalizedAddress(one.endpoint) === normalizedAddress(other.endpoint) &&
  one.deployment.trim() === other.deployment.trim();

/** Texts that are not URLs are compared as they are. */
function normalizedAddress(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text.trim() : `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}
