import { expect, it } from "vitest";
import { askByChat } from "./ask-by-others.ts";

const askChat = (endpoint: string, answer: unknown, urls: string[] = []): Promise<string> =>
  askByChat({
    agent: {
      id: "1",
      name: "a",
      description: "",
      endpoint,
      payload: {},
      needAuthentication: false,
      active: true,
    },
    message: "go",
    newId: () => "id",
    pause: async () => {},
    async ask({ url }) {
      urls.push(url);
      return { status: 200, text: JSON.stringify(answer) };
    },
  });

it.each([
  ["https://h.test/v1", "https://h.test/v1/chat/completions"],
  ["https://h.test/v1/", "https://h.test/v1/chat/completions"],
  ["https://h.test/v1?key=K", "https://h.test/v1/chat/completions?key=K"],
  ["https://h.test/v1/?a=b/&key=K%2F#x", "https://h.test/v1/chat/completions?a=b/&key=K%2F"],
  ["https://h.test?key=K", "https://h.test/chat/completions?key=K"],
  ["https://h.test/v1/chat/completions", "https://h.test/v1/chat/completions"],
  ["https://h.test/v1/chat/completions?key=K", "https://h.test/v1/chat/completions?key=K"],
  ["https://h.test/v1?key=/chat/completions", "https://h.test/v1/chat/completions?key=/chat/completions"],
])("an agent of Chat Completions at %s is called at %s", async (endpoint, called) => {
  const urls: string[] = [];
  const said = await askChat(endpoint, { choices: [{ message: { content: "aye" } }] }, urls);
  expect([said, urls]).toEqual(["aye", [called]]);
});

it("joins the texts of an answer in parts", async () => {
  const content = [{ type: "text", text: "a" }, { type: "image_url" }, { type: "text", text: "ye" }];
  expect(await askChat("https://h.test/v1", { error: null, choices: [{ message: { content } }] })).toBe(
    "aye",
  );
});

it.each([
  [{ error: { message: "The quota is used up." } }, "The agent refused: The quota is used up."],
  [{ error: "No." }, "The agent refused: No."],
  [{ choices: [{ message: { content: null } }] }, "The agent's answer has no message."],
  [null, "The agent's answer has no message."],
])("tells of the answer %j", async (answer, message) => {
  await expect(askChat("https://h.test/v1", answer)).rejects.toThrow(message);
});
