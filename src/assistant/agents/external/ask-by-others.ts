/** Asks agents by AG-UI, Chat Completions and plain HTTP. */
import { addressBelow, pathEndsWith } from "./agent-address.ts";
import { askJson, extras, type Driver } from "./driver.ts";

/** The stream is read to its end, since the answer of an agent is one result of a tool. */
export const askByAgUi: Driver = async ({ agent, message, ask, newId }) => {
  const { status, text } = await ask({
    method: "POST",
    url: agent.endpoint,
    headers: { accept: "text/event-stream" },
    body: {
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      ...extras(agent),
      threadId: newId(),
      runId: newId(),
      messages: [{ id: newId(), role: "user", content: message }],
    },
  });
  if (status !== 200) throw new Error(`The agent answered ${status}. ${text.slice(0, 500)}`);
  let said = "";
  let isFinished = false;
  for (const event of eventsOf(text)) {
    if (event.type === "TEXT_MESSAGE_START" && said !== "") said += "\n";
    if (event.type === "TEXT_MESSAGE_CONTENT" || event.type === "TEXT_MESSAGE_CHUNK")
      said += event.delta ?? "";
    if (event.type === "RUN_ERROR")
      throw new Error(`The agent failed: ${String(event.message).slice(0, 500)}`);
    isFinished ||= event.type === "RUN_FINISHED";
  }
  if (!isFinished) throw new Error("The agent's stream broke off before its end.");
  return said;
};

function eventsOf(text: string): any[] {
  return text.split(/\r\n\r\n|\n\n|\r\r/).flatMap((record) => {
    const lines = record.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
    if (lines.length === 0) return [];
    try {
      return [JSON.parse(lines.map((line) => line.slice(5)).join("\n")) as unknown];
    } catch {
      return [];
    }
  });
}

export const askByChat: Driver = async ({ agent, message, ask }) => {
  const body = {
    model: agent.name,
    ...extras(agent),
    stream: false,
    messages: [{ role: "user", content: message }],
  };
  const path = "/chat/completions";
  const url = pathEndsWith(agent.endpoint, path) ? agent.endpoint : addressBelow(agent.endpoint, path);
  const answer = await askJson(ask, { method: "POST", url, body });
  const content: unknown = answer?.choices?.[0]?.message?.content;
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
  // Some gateways refuse with the status 200.
  const refused: unknown = answer?.error?.message ?? answer?.error;
  if (typeof refused === "string") throw new Error(`The agent refused: ${refused.slice(0, 500)}`);
  throw new Error("The agent's answer has no message.");
};

/** Sends the payload with the message; of a JSON response takes the usual fields, else all of its text. */
export const askPlainly: Driver = async ({ agent, message, ask }) => {
  const { status, text } = await ask({
    method: "POST",
    url: agent.endpoint,
    body: { ...extras(agent), message },
  });
  if (status < 200 || status > 299) throw new Error(`The agent answered ${status}. ${text.slice(0, 500)}`);
  try {
    const value = JSON.parse(text);
    const said: unknown = value?.message ?? value?.answer ?? value?.output ?? value?.text;
    return typeof said === "string" ? said : text;
  } catch {
    return text;
  }
};
