import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { startTestServer, testArea, type RunningServer } from "../../../test/support/http.ts";
import { route } from "./operation.ts";

const access = {
  authenticate: () => {
    throw new Error("Nobody asks who it is.");
  },
  authorize: () => undefined,
  hasRule: () => true,
  isPublic: () => true,
};

const start = (bodyLimitBytes?: number): Promise<RunningServer> =>
  startTestServer(
    [
      testArea((app) =>
        route(app, {
          id: "answer",
          method: "POST",
          path: "/answers",
          summary: "An answer of anybody",
          rule: "answer",
          body: Type.Object({ text: Type.String() }),
          ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
          response: { 200: Type.Integer() },
          handler: (_ctx, { body }) => body.text.length,
        }),
      ),
    ],
    { access },
  );

const send = async ({ url }: RunningServer, bytes: number): Promise<[number, unknown]> => {
  const rest = '{"text":""}'.length;
  const answer = await fetch(`${url}/api/test/answers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "x".repeat(bytes - rest) }),
  });
  return [answer.status, await answer.json()];
};

describe("a body that anybody may send", () => {
  it("has at most 32 KiB where the operation says nothing", async () => {
    await using server = await start();
    expect(await send(server, 32_768)).toMatchObject([200, 32_757]);
    expect(await send(server, 32_769)).toMatchObject([
      413,
      { code: "PLATFORM_BODY_TOO_LARGE", message: expect.stringContaining("32768 bytes") },
    ]);
  });

  it("has what the operation says", async () => {
    await using server = await start(262_144);
    expect(await send(server, 262_144)).toMatchObject([200, 262_133]);
    expect(await send(server, 262_145)).toMatchObject([413, {}]);
  });

  it("can't have more than 256 KiB: the server does not start", async () => {
    await expect(start(262_145)).rejects.toThrow("operation test.answer: anybody may send it 262145 bytes");
  });
});
