import { expect, it } from "vitest";
import { askByA2a, readCard } from "./ask-by-a2a.ts";
import type { AgentRequest } from "./driver.ts";

const agent = {
  id: "1",
  name: "a",
  description: "",
  endpoint: "http://agent.test/base",
  payload: {},
  needAuthentication: false,
  active: true,
};

/** An agent whose card is at the root of its host, and that answers by these results, one after another. */
function asking(card: object, results: object[]) {
  const sent: AgentRequest[] = [];
  let waits = 0;
  const asked = askByA2a({
    agent,
    message: "go",
    newId: () => "id",
    pause: async () => void (waits += 1),
    async ask(request) {
      sent.push(request);
      if (request.method === "POST")
        return { status: 200, text: JSON.stringify({ jsonrpc: "2.0", ...results.shift() }) };
      const isCard = request.url === "http://agent.test/.well-known/agent-card.json";
      return isCard ? { status: 200, text: JSON.stringify(card) } : { status: 404, text: "" };
    },
  });
  return { asked, posts: () => sent.filter(({ method }) => method === "POST"), waits: () => waits };
}

const present = {
  supportedInterfaces: [{ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "t" }],
};
const older = { url: "http://agent.test/rpc", protocolVersion: "0.3.0" };

it("follows a task of 1.0 until it ends", async () => {
  const { asked, posts, waits } = asking(present, [
    { result: { task: { id: "7", status: { state: "TASK_STATE_SUBMITTED" } } } },
    { result: { id: "7", status: { state: "TASK_STATE_WORKING" } } },
    {
      result: {
        id: "7",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ parts: [{ text: "one" }, { data: { n: 2 } }] }, { parts: [{ text: "three" }] }],
      },
    },
  ]);
  expect(await asked).toBe('one\n{"n":2}\nthree');
  expect(waits()).toBe(2);
  expect(
    posts().map(({ url, headers, body }: any) => [url, headers, body.method, body.params.tenant]),
  ).toEqual([
    ["http://agent.test/rpc", { "a2a-version": "1.0" }, "SendMessage", "t"],
    ["http://agent.test/rpc", { "a2a-version": "1.0" }, "GetTask", "t"],
    ["http://agent.test/rpc", { "a2a-version": "1.0" }, "GetTask", "t"],
  ]);
});

it("follows a task of 0.3, and takes its question for an answer", async () => {
  const { asked, posts } = asking(older, [
    { result: { kind: "task", id: "7", status: { state: "working" } } },
    {
      result: {
        kind: "task",
        id: "7",
        status: { state: "input-required", message: { parts: [{ kind: "text", text: "Which one?" }] } },
      },
    },
  ]);
  expect(await asked).toBe("Which one?");
  expect(posts().map(({ body }: any) => body.method)).toEqual(["message/send", "tasks/get"]);
});

it.each([
  ["an error", { error: { code: -1, message: "Not now." } }, "Not now."],
  ["a refusal", { result: { kind: "task", status: { state: "rejected" } } }, "rejected"],
  ["nothing", {}, "undefined"],
])("tells of %s", async (_what, result, text) => {
  await expect(asking(older, [result]).asked).rejects.toThrow(text);
});

const asksAgain = {
  result: {
    kind: "task",
    id: "7",
    status: { state: "input-required", message: { parts: [{ kind: "text", text: "Which environment?" }] } },
    artifacts: [{ parts: [{ kind: "text", text: "draft" }] }],
  },
};
const onlyInHistory = (role: string, agentRole: string) => ({
  kind: "task",
  id: "7",
  status: { state: "completed" },
  history: [
    { role, parts: [{ kind: "text", text: "go" }] },
    { role: agentRole, parts: [{ kind: "text", text: "a thought" }] },
    { role: agentRole, parts: [{ kind: "text", text: "the answer" }] },
    { role, parts: [{ kind: "text", text: "thanks" }] },
  ],
});

it.each([
  [
    "an error that is null",
    { error: null, result: { kind: "message", parts: [{ kind: "text", text: "hi" }] } },
    "hi",
  ],
  ["a question beside a draft", asksAgain, "draft\nWhich environment?"],
  ["an answer in its history alone", { result: onlyInHistory("user", "agent") }, "the answer"],
])("reads %s", async (_what, result, text) => {
  expect(await asking(older, [result]).asked).toBe(text);
});

it("reads an answer in the history alone, of 1.0", async () => {
  const task = onlyInHistory("ROLE_USER", "ROLE_AGENT");
  expect(await asking(present, [{ result: { task } }]).asked).toBe("the answer");
  await expect(asking(present, [{ result: null }]).asked).rejects.toThrow("The agent's task is undefined");
});

it.each([
  ["HTTP+JSON", "http://agent.test/other"],
  ["GRPC", "http://agent.test/other"],
  ["JSONRPC", "http://agent.test/rpc"],
  [undefined, "http://agent.test/rpc"],
])("of a card of 0.3 whose own address speaks %s takes %s", async (preferredTransport, called) => {
  const card = {
    ...older,
    preferredTransport,
    additionalInterfaces: [
      { transport: "GRPC", url: "http://agent.test/grpc" },
      { transport: "JSONRPC", url: "http://agent.test/other" },
    ],
  };
  const { asked, posts } = asking(card, [{ result: { kind: "message", parts: [{ text: "hi" }] } }]);
  expect(await asked).toBe("hi");
  expect(posts().map(({ url }) => url)).toEqual([called]);
});

it("needs a card that names an address", async () => {
  await expect(asking({ name: "x" }, []).asked).rejects.toThrow("no agent card");
  const grpc = { supportedInterfaces: [{ url: "x", protocolBinding: "GRPC", protocolVersion: "1.0" }] };
  await expect(asking(grpc, []).asked).rejects.toThrow("no address that speaks JSON-RPC");
  const rest = { ...older, preferredTransport: "HTTP+JSON" };
  await expect(asking(rest, []).asked).rejects.toThrow("no address that speaks JSON-RPC");
});

const atRoot = "http://agent.test/.well-known/agent-card.json";

it.each([
  ["http://agent.test/base", ["http://agent.test/base/.well-known/agent-card.json", atRoot]],
  ["http://agent.test/base/?key=K", ["http://agent.test/base/.well-known/agent-card.json?key=K", atRoot]],
  ["http://agent.test/card.json", ["http://agent.test/card.json"]],
  ["http://agent.test/card.json?key=K", ["http://agent.test/card.json?key=K"]],
  [
    "http://agent.test/x?card=a.json",
    ["http://agent.test/x/.well-known/agent-card.json?card=a.json", atRoot],
  ],
])("looks for the card of %s at %j", async (endpoint, asked) => {
  const urls: string[] = [];
  const card = await readCard({
    agent: { ...agent, endpoint },
    async ask({ url }) {
      urls.push(url);
      return { status: 404, text: "" };
    },
  });
  expect([card, urls]).toEqual([null, asked]);
});
