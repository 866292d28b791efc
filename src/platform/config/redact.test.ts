import { expect, it } from "vitest";
import { redact } from "./redact.ts";

it("hides what is marked, what has the name of a secret, and values under names of the operator's own", () => {
  expect(
    redact({
      server: { port: 7007, baseUrl: "https://me:hush@a.test" },
      assistant: {
        mcpServers: [
          {
            name: "a",
            url: "https://a.test/mcp?api_key=hush&v=1",
            headers: { "X-Team": "hush", "X-Api-Key": "hush" },
            env: { MODE: "hush" },
            clientCredentials: { tokenUrl: "https://b.test", clientId: "me", clientSecret: "hush" },
          },
        ],
        models: { contextTokens: 5 },
      },
      coordinator: { webhooks: [{ name: "w", secrets: ["hush", "hush"] }] },
      unset: { password: "", token: null },
    }),
  ).toEqual({
    server: { port: 7007, baseUrl: "https://[hidden]@a.test" },
    assistant: {
      mcpServers: [
        {
          name: "a",
          url: "https://a.test/mcp?api_key=***&v=1",
          headers: { "X-Team": "[hidden]", "X-Api-Key": "[hidden]" },
          env: { MODE: "[hidden]" },
          clientCredentials: { tokenUrl: "https://b.test", clientId: "me", clientSecret: "[hidden]" },
        },
      ],
      models: { contextTokens: 5 },
    },
    coordinator: { webhooks: [{ name: "w", secrets: "[hidden]" }] },
    unset: { password: "", token: null },
  });
});
