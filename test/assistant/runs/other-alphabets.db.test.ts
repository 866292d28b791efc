/** Sessions in languages that need a token for each character: their history is made shorter before it is too long. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { send } from "../../support/server.ts";
import { startModelServer, type ModelServer } from "../model-server.ts";
import { testTools } from "./agents.ts";

const contextTokens = 8_000;
let fixture: ModelServer;

/** As the tokenizers of models count: about one for each character of Japanese. */
function tokensIn({ messages, tools }: ChatRequest): number {
  const text = JSON.stringify([messages, tools]);
  const ascii = text.replaceAll(/[^ -~]/g, "").length;
  return text.length - ascii + ascii / 4;
}

const question = "データ製品の展開計画が失敗した理由を教えてください。".repeat(20);
const answer = "承認待ちの作業があるため計画は進みません。".repeat(20);
const summary = "計画は失敗した。";

function turnOf(request: ChatRequest): Turn {
  if (tokensIn(request) > contextTokens)
    return { status: 400, error: { error: { message: "This exceeds the maximum context length." } } };
  const isSummary = request.messages[0]?.content?.startsWith("Summarise") === true;
  return { text: isSummary ? summary : answer };
}

beforeAll(async () => {
  fixture = await startModelServer(turnOf, {
    tools: testTools(),
    configure(config) {
      config.assistant.models.contextTokens = contextTokens;
    },
  });
});
afterAll(() => fixture.server.close());

const ask = async (message: string, sessionId: string | null = null): Promise<any> => {
  const body = { message, session_id: sessionId };
  return (await fixture.server.assistant({ method: "POST", path: "/task/sync", body })).body;
};
/** Whether the last prompt had the summary of what was said before. */
const isSummaryKnown = (): boolean =>
  fixture.model.requests.at(-1)!.body.messages.some(({ content }) => content?.includes(summary) === true);

it("a session in Japanese is answered for as long as one in English", async () => {
  const { session_id: sessionId, message: first } = await ask(question);
  const said: string[] = [first];
  for (let n = 1; n < 16; n += 1) said.push((await ask(question, sessionId)).message);
  expect(said).toEqual(Array.from({ length: 16 }, () => answer));
  expect(isSummaryKnown()).toBe(true);
});

it("Chat Completions: of a history in Japanese that is longer than the context, the latest part is summarised", async () => {
  const history = Array.from({ length: 20 }, (_, n) => [
    { role: "user", content: `${n}: ${question}` },
    { role: "assistant", content: answer },
  ]).flat();
  const body = { model: "main", messages: [...history, { role: "user", content: question }] };
  const base = `${fixture.server.url}/api/assistant`;
  const answered = await send(base, { method: "POST", path: "/v1/chat/completions", body });
  expect(answered).toMatchObject({ status: 200, body: { choices: [{ message: { content: answer } }] } });
  expect(isSummaryKnown()).toBe(true);
});
