/** Pure: converts conversations for the providers' packages. */
import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { ModelMessage, ModelRequest, ModelToolCall } from "./model.ts";

/** All these packages have the same model interface. */
export type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;
type SdkOptions = Parameters<SdkModel["doStream"]>[0];
type SdkMessage = SdkOptions["prompt"][number];
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;

export function sdkTools(tools: ModelRequest["tools"]): NonNullable<SdkOptions["tools"]> {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
}

export function sdkPrompt(messages: readonly ModelMessage[]): SdkOptions["prompt"] {
  const names = new Map<string, string>();
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { id, name } of message.calls) names.set(id, name);
      prompt.push({ role: "assistant", content: assistantContent(message) });
    } else if (message.role === "tool") {
      const output = { type: "text", value: message.content } as const;
      const toolName = names.get(message.callId) ?? "";
      const result = { type: "tool-result", toolCallId: message.callId, toolName, output } as const;
      const last = prompt.at(-1);
      // The results of one model turn are one message.
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
    } else if (message.role === "system") prompt.push({ role: "system", content: message.content });
    else prompt.push({ role: "user", content: [{ type: "text", text: message.content }] });
  }
  return prompt;
}

type AssistantContent = Extract<SdkMessage, { role: "assistant" }>["content"];

/** Some providers refuse empty texts, so they are left out. */
const assistantContent = ({
  content,
  calls,
}: Extract<ModelMessage, { role: "assistant" }>): AssistantContent => [
  ...(content === "" ? [] : [{ type: "text" as const, text: content }]),
  ...calls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: inputOf(call),
    ...(call.meta ? { providerOptions: call.meta as Record<string, never> } : {}),
  })),
];

function inputOf({ arguments: text }: ModelToolCall): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The model wrote invalid JSON; the result of the call has said so.
  }
  return {};
}
