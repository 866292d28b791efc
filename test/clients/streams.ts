/** Clients of event streams: the core of useChat, and AG-UI. */
import { randomUUID } from "node:crypto";
import { EventType, HttpAgent, type BaseEvent } from "@ag-ui/client";
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatState,
  type UIMessage,
} from "ai";
import type { ClientKind } from "./client-kind.ts";
import { expectText, untilStopped, type World } from "./world.ts";

class Chat extends AbstractChat<UIMessage> {}

function openChat({ url, headers }: World): Chat {
  const state: ChatState<UIMessage> = {
    status: "ready",
    error: undefined,
    messages: [],
    pushMessage: (message) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index, message) => void (state.messages[index] = message),
    snapshot: (thing) => structuredClone(thing),
  };
  return new Chat({
    id: randomUUID(),
    state,
    transport: new DefaultChatTransport({ api: `${url}/api/assistant/chat`, headers }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

const lastText = ({ messages }: Chat): string =>
  (messages.at(-1)?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("|");

async function say(world: World, text: string): Promise<Chat> {
  const chat = openChat(world);
  await chat.sendMessage({ text });
  return chat;
}

/** Resolves once it is so; the limit of the step ends a wait for ever. */
async function until(isSo: () => boolean, signal = AbortSignal.timeout(15_000)): Promise<void> {
  while (!isSo()) {
    if (signal.aborted) throw new Error("It did not come to that within 15 s.");
    await new Promise((done) => setTimeout(done, 10));
  }
}

const decide =
  (approved: boolean, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const chat = await say(world, "remove it");
    const part = chat.messages.at(-1)?.parts.find(({ type }) => type === "dynamic-tool");
    if (part?.type !== "dynamic-tool" || part.state !== "approval-requested")
      throw new Error(`Instead of a request for an approval: ${JSON.stringify(part)}`);
    await chat.addToolApprovalResponse({ id: part.approval.id, approved });
    await until(() => chat.status === "ready" && wanted.test(lastText(chat)));
    if (chat.error !== undefined) throw chat.error;
  };

export const useChat: ClientKind = {
  name: "AI SDK, core of useChat",
  steps: {
    question: async (world) => expectText(lastText(await say(world, "Hello")), /Good morning/),
    tool: async (world) => expectText(lastText(await say(world, "look")), /It was called/),
    approved: decide(true, /It was called/),
    refused: decide(false, /Then not/),
    async stop(world) {
      const before = world.model.requests.length;
      const chat = openChat(world);
      const sent = chat.sendMessage({ text: "endless" });
      // Its own message is there at once, the first text of the answer when the model is at work.
      await until(() => chat.messages.at(-1)?.role === "assistant" && lastText(chat) !== "");
      await chat.stop();
      await sent;
      await untilStopped(world, before);
    },
    error: async (world) => expectText((await say(world, "break")).error?.message, /broke/),
  },
};

interface Heard {
  type: string;
  name?: string;
  value?: any;
  code?: string;
}

const agentOf = ({ url, headers }: World, threadId: string): HttpAgent =>
  new HttpAgent({ url: `${url}/api/assistant/agui`, headers, threadId });

async function hear(
  world: World,
  content: string,
  onEvent: (event: Heard, runId: string) => void,
): Promise<string> {
  const agent = agentOf(world, randomUUID());
  const runId = randomUUID();
  agent.addMessage({ id: randomUUID(), role: "user", content });
  let own: string = runId;
  const heard = ({ event }: { event: BaseEvent }): void => {
    if (event.type === EventType.RUN_STARTED) own = (event as BaseEvent & { runId: string }).runId;
    onEvent(event, own);
  };
  await agent.runAgent({ runId }, { onEvent: heard }).catch(() => undefined);
  const last = agent.messages.at(-1);
  return last?.role === "assistant" && typeof last.content === "string" ? last.content : "";
}

const decideRun =
  (approved: boolean, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const answers: Promise<unknown>[] = [];
    const text = await hear(world, "remove it", ({ name, value }, runId) => {
      if (name !== "approval_required") return;
      const path = `/runs/${runId}/approvals/${value.approval_id}`;
      answers.push(world.assistant({ method: "POST", path, body: { approved } }));
    });
    await Promise.all(answers);
    expectText(text, wanted);
  };

export const agUi: ClientKind = {
  name: "AG-UI HttpAgent",
  steps: {
    question: async (world) => expectText(await hear(world, "Hello", () => undefined), /Good morning/),
    tool: async (world) => expectText(await hear(world, "look", () => undefined), /It was called/),
    approved: decideRun(true, /It was called/),
    refused: decideRun(false, /Then not/),
    // Leaving a stream of this protocol does not end its run; cancelling the run does.
    async stop(world) {
      const before = world.model.requests.length;
      let cancelled: Promise<unknown> | undefined;
      await hear(world, "endless", ({ type }, runId) => {
        if (type !== "TEXT_MESSAGE_CONTENT") return;
        cancelled ??= world.assistant({ method: "POST", path: `/runs/${runId}/cancel` });
      });
      await cancelled;
      await untilStopped(world, before);
    },
    async error(world) {
      const codes: string[] = [];
      await hear(world, "break", ({ type, code }) => void (type === "RUN_ERROR" && codes.push(code ?? "")));
      expectText(codes.join(), /^model_unavailable$/);
    },
  },
};
