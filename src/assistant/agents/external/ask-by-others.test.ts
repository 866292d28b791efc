import { expect, it } from "vitest";
import { askByChat } from "./ask-by-others.ts";

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
  const said = await askByChat({
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
      return { status: 200, text: JSON.stringify({ choices: [{ message: { content: "aye" } }] }) };
    },
  });
  expect([said, urls]).toEqual(["aye", [called]]);
});
