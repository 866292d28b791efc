/** Pure: the providers of models, and the other names that they go by. */

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
