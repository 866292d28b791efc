/** Clients of Chat Completions and Responses: the package `openai`, and LangChain on top of it. */
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import type { ClientKind } from "./client-kind.ts";
import { expectText, untilStopped, type World } from "./world.ts";

type Message = OpenAI.ChatCompletionMessageParam;

const connect = ({ url, token }: World): OpenAI =>
  new OpenAI({ baseURL: `${url}/api/assistant/v1`, apiKey: token, maxRetries: 0 });

const ask = async (world: World, messages: Message[]): Promise<string> => {
  const { choices } = await connect(world).chat.completions.create({ model: world.agent, messages });
  return choices[0]?.message.content ?? "";
};

const user = (content: string): Message => ({ role: "user", content });

/** By the form that the protocol has none for: a finished message with an `approval_id`, and words that decide. */
const decide =
  (word: string, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const content = await ask(world, [user("remove it")]);
    expectText(content, /approval_id/);
    expectText(await ask(world, [user("remove it"), { role: "assistant", content }, user(word)]), wanted);
  };

const stopStream =
  (open: (world: World, signal: AbortSignal) => Promise<AsyncIterable<unknown>>) =>
  async (world: World): Promise<void> => {
    const before = world.model.requests.length;
    const stop = new AbortController();
    const stream = await open(world, stop.signal);
    await stopOnceAsked(stream, () => world.model.requests.length > before, stop);
    await untilStopped(world, before);
  };

/** Stops once the model is at work; what the reader is told of its own stop says nothing. */
async function stopOnceAsked(
  stream: AsyncIterable<unknown>,
  isAsked: () => boolean,
  stop: AbortController,
): Promise<void> {
  try {
    for await (const _ of stream) if (isAsked()) stop.abort();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

async function expectRefusal(work: Promise<unknown>): Promise<void> {
  const reason: unknown = await work.then(
    () => "no error",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
  expectText(String(reason), /broke|unavailable|complete/i);
}

const chat: ClientKind = {
  name: "openai, Chat Completions",
  steps: {
    question: async (world) => expectText(await ask(world, [user("Hello")]), /^Good morning$/),
    tool: async (world) => expectText(await ask(world, [user("look")]), /It was called/),
    approved: decide("approve", /It was called/),
    refused: decide("refuse: too risky", /Then not/),
    stop: stopStream((world, signal) =>
      connect(world).chat.completions.create(
        { model: world.agent, messages: [user("endless")], stream: true },
        { signal },
      ),
    ),
    error: (world) => expectRefusal(ask(world, [user("break")])),
  },
};

type Input = string | OpenAI.Responses.ResponseInput;

const respond = (world: World, input: Input, previous?: string): Promise<OpenAI.Responses.Response> =>
  connect(world).responses.create({
    model: world.agent,
    input,
    ...(previous === undefined ? {} : { previous_response_id: previous }),
  });

const decideItem =
  (approve: boolean, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const waits = await respond(world, "remove it");
    const request = waits.output.find(({ type }) => type === "mcp_approval_request");
    if (request?.type !== "mcp_approval_request") throw new Error("There is no mcp_approval_request.");
    const answer = { type: "mcp_approval_response", approval_request_id: request.id, approve } as const;
    expectText((await respond(world, [answer], waits.id)).output_text, wanted);
  };

const responses: ClientKind = {
  name: "openai, Responses",
  steps: {
    question: async (world) => expectText((await respond(world, "Hello")).output_text, /^Good morning$/),
    tool: async (world) => expectText((await respond(world, "look")).output_text, /It was called/),
    approved: decideItem(true, /It was called/),
    refused: decideItem(false, /Then not/),
    stop: stopStream((world, signal) =>
      connect(world).responses.create({ model: world.agent, input: "endless", stream: true }, { signal }),
    ),
    error: (world) =>
      expectRefusal(
        respond(world, "break").then(({ status, error }) => {
          if (status === "failed") throw new Error(error?.message);
        }),
      ),
  },
};

const chain = ({ url, token, agent }: World): ChatOpenAI =>
  new ChatOpenAI({
    model: agent,
    apiKey: token,
    maxRetries: 0,
    configuration: { baseURL: `${url}/api/assistant/v1` },
  });

type Spoken = ["human" | "ai", string][];

const invoke = async (world: World, spoken: Spoken): Promise<string> =>
  (await chain(world).invoke(spoken)).text;

const decideInChain =
  (word: string, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const waits = await invoke(world, [["human", "remove it"]]);
    expectText(waits, /approval_id/);
    const spoken: Spoken = [
      ["human", "remove it"],
      ["ai", waits],
      ["human", word],
    ];
    expectText(await invoke(world, spoken), wanted);
  };

const langChain: ClientKind = {
  name: "LangChain ChatOpenAI",
  steps: {
    question: async (world) => expectText(await invoke(world, [["human", "Hello"]]), /^Good morning$/),
    tool: async (world) => expectText(await invoke(world, [["human", "look"]]), /It was called/),
    approved: decideInChain("approve", /It was called/),
    refused: decideInChain("refuse", /Then not/),
    stop: stopStream((world, signal) => chain(world).stream("endless", { signal })),
    error: (world) => expectRefusal(invoke(world, [["human", "break"]])),
  },
};

export const openaiClients: readonly ClientKind[] = [chat, responses, langChain];
