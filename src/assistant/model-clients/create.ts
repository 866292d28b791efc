/** The client of the model that is configured. */
import { createChatClient, type ChatMeans } from "./chat-completions.ts";
import { chatProviders } from "./endpoints.ts";
import type { ModelConfig } from "../models/read-model.ts";
import type { ModelClient } from "./model.ts";
import { unavailable } from "./refusals.ts";

const spokenNatively: ReadonlySet<string> = new Set(chatProviders);

/** Throws a Failure for a provider that there is no client for. */
export function createModelClient(means: ChatMeans, config: ModelConfig): ModelClient {
  if (spokenNatively.has(config.provider)) return createChatClient(means, config);
  throw unavailable(`There is no client for the provider ${config.provider}.`);
}
