import { expect, it } from "vitest";
import { modelName, originOf, sendable, type AssistantMessage, type ModelMessage } from "./model.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const said = (content: string): ModelMessage => ({ role: "assistant", content, calls: [] });
const result = (callId: string): ModelMessage => ({ role: "tool", callId, content: "found" });
const call = (change: object = {}) => ({ id: "call_1", name: "look", arguments: "{}", ...change });
const turn = (calls: AssistantMessage["calls"], more: object = {}): AssistantMessage => ({
  role: "assistant",
  content: "",
  calls,
  ...more,
});
const shape = (messages: readonly ModelMessage[]): string[] =>
  sendable(messages, "here").map(({ role, content }) => `${role}: ${content}`);
const callsOf = (messages: readonly ModelMessage[], origin = "here") =>
  sendable(messages, origin).flatMap((message) => (message.role === "assistant" ? message.calls : []));

const system: ModelMessage = { role: "system", content: "Be brief." };

it.each<[string, ModelMessage[], string[]]>([
  [
    "joins what the user said in a row",
    [system, user("one"), user("two"), said("yes"), user("three")],
    ["system: Be brief.", "user: one\n\ntwo", "assistant: yes", "user: three"],
  ],
  ["joins answers in a row", [user("one"), said("yes"), said("no")], ["user: one", "assistant: yes\n\nno"]],
  [
    "keeps a turn with calls apart from the answer after it",
    [user("one"), turn([call()]), result("call_1"), said("yes")],
    ["user: one", "assistant: ", "tool: found", "assistant: yes"],
  ],
  [
    "puts an answer between a result and a question",
    [user("one"), turn([call()]), result("call_1"), user("two")],
    ["user: one", "assistant: ", "tool: found", "assistant: (There was no answer.)", "user: two"],
  ],
  [
    "begins with the user",
    [system, said("Hello"), user("one")],
    ["system: Be brief.", "user: (The conversation so far:)", "assistant: Hello", "user: one"],
  ],
])("%s", (_, messages, wanted) => {
  expect(shape(messages)).toEqual(wanted);
});

it.each([
  ['{"at": "ord', "{}"],
  ["", "{}"],
  ["[1]", "{}"],
  ["null", "{}"],
  ['{"at":1}', '{"at":1}'],
])("sends the arguments %j as %j", (given, wanted) => {
  expect(callsOf([turn([call({ arguments: given })])])[0]?.arguments).toBe(wanted);
});

it("sends invented names as names that models accept", () => {
  const [sent] = callsOf([turn([call({ name: "multi_tool_use.parallel" })])]);
  expect(sent?.name).toMatch(/^multi_tool_use_parallel_[0-9a-f]{8}$/);
  expect(modelName("unit__look")).toBe("unit__look");
});

it("gives each call one id for itself and its result", () => {
  const messages = [
    turn([call({ givenId: "own" }), call({ id: "call_2", givenId: "own" }), call({ id: "call_3" })], {
      origin: "here",
    }),
    result("call_1"),
    result("call_2"),
    result("call_3"),
    result("call_lost"),
  ];
  const ids = callsOf(messages).map(({ id }) => id);
  const plain = expect.stringMatching(/^[A-Za-z0-9]{9}$/);
  expect(ids).toEqual(["own", plain, plain]);
  const answered = sendable(messages, "here").flatMap((each) => (each.role === "tool" ? [each.callId] : []));
  expect(answered).toEqual([...ids, plain]);
  expect(new Set(answered).size).toBe(4);
});

it("gives what was kept to its origin alone, and what has none to whoever asks", () => {
  const retained = { givenId: "own", meta: { a: 1 } };
  const of = (more: object, origin: string) => {
    const [, sent] = sendable(
      [turn([call(retained)], { thoughts: "hm", ...more })],
      origin,
    ) as AssistantMessage[];
    return [sent?.thoughts, sent?.calls[0]?.meta, sent?.calls[0]?.id === "own"];
  };
  expect(of({ origin: "here" }, "here")).toEqual(["hm", { a: 1 }, true]);
  expect(of({ origin: "there" }, "here")).toEqual([undefined, undefined, false]);
  expect(of({}, "here")).toEqual(["hm", { a: 1 }, true]);
});

it("tells models and their endpoints apart, however an address ends", () => {
  const config = {
    provider: "openai-compatible",
    endpoint: "http://h/v1",
    apiKey: "k",
    deployment: "",
    apiVersion: "",
    model: "m",
    customHeaders: [],
  } as const;
  const of = (change: object): string => originOf({ ...config, customHeaders: [], ...change });
  expect(of({ endpoint: "http://h/v1/", apiKey: "other" })).toBe(of({}));
  const others = [{ model: "n" }, { endpoint: "http://g/v1" }, { provider: "openai" }, { deployment: "d" }];
  expect(new Set([of({}), ...others.map(of)]).size).toBe(5);
});
