/** Chooses the client for the configured model. */
import { createChatClient } from "./chat-completions.ts";
import { chatProviders } from "./endpoints.ts";
import type { ModelConfig } from "../read-model.ts";
import type { ModelClient } from "./model.ts";
import type { ModelDeps } from "./open-answer.ts";
import { createSdkClient } from "./sdk-client.ts";

const chatCompletionProviders: ReadonlySet<string> = new Set(chatProviders);

export function createModelClient(deps: ModelDeps, config: ModelConfig): ModelClient {
  if (chatCompletionProviders.has(config.provider)) return createChatClient(deps, config);
  return createSdkClient(deps, config);
}
