/** What people and models say: messages, titles, answers in Markdown, and tool results, which are what units and requests hold. */
import { payloads } from "../../support/payloads.ts";
import type { ChatRequest } from "../../../support/scripted-model/script.ts";
import { startScriptedModel } from "../../../support/scripted-model/server.ts";
import { chunks, forEach, send, type Stage, type WaysIn } from "./way-in.ts";

const base = "/api/assistant/v2";

export async function sendThroughAssistant({ guest }: Stage, ways: WaysIn): Promise<() => Promise<void>> {
  const model = await startScriptedModel(says);
  await guest.call("POST", `${base}/llm/config`, {
    provider: "openai-compatible",
    endpoint: model.url,
    model: "payloads",
    api_key: "not-a-secret",
  });
  await forEach(chunks(payloads, 20), async (part, index) => {
    const fields = ["assistant message", "assistant answer in Markdown", "assistant tool arguments"];
    const answer = await send(ways, { fields, count: part.length }, () =>
      guest.call("POST", `${base}/task/sync`, { message: `${mark}${index}\n${part.join("\n\n")}` }),
    );
    const session = answer?.session_id ?? answer?.data?.session_id;
    if (session === undefined) return;
    await send(ways, { fields: ["session title"], count: 1 }, () =>
      guest.call("PATCH", `${base}/sessions/${session}/title`, {
        title: part.slice(0, 4).join(" ").slice(0, 1000),
      }),
    );
    ways.routes.push({ name: "session-payload", path: `/assistant/${session}` });
  });
  await forEach(chunks(payloads, 10), ([name = "", ...others], index) =>
    send(ways, { fields: ["skill name, description"], count: 1 + others.length }, () =>
      guest.call("POST", `${base}/skills`, {
        name: `${name} ${index}`,
        description: others.join("\n"),
        content: "x",
      }),
    ),
  );
  ways.routes.push({ name: "assistant-payloads", path: "/assistant" });
  return () => model.close();
}

const mark = "Part ";

/** First asks a tool whose result has payloads of units, then answers with the payloads of the message's part. */
function says({ messages, tools }: ChatRequest) {
  const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const part = chunks(payloads, 20)[Number(/Part (\d+)/.exec(asked)?.[1] ?? 0)] ?? [];
  const isAnswered = messages.at(-1)?.role === "tool";
  const tool = tools.find(({ function: { name } }) => /list_operations|list_waiting|search/.test(name));
  if (isAnswered || tool === undefined) return { text: part.join("\n\n") };
  return {
    text: `- ${part[0] ?? ""}\n\n| a | b |\n|---|---|\n| ${part[1] ?? ""} | ${part[2] ?? ""} |`,
    calls: [{ name: tool.function.name, arguments: { query: part[3] ?? "", limit: 20 } }],
  };
}
