import { afterEach, expect, test } from "vitest";
import { startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";
import { sendJsonPieces } from "./json-pieces.ts";

let server: RunningServer | undefined;
afterEach(() => server?.close());

const piece = `${JSON.stringify("x".repeat(64 * 1024))}\n`;
const pieces = 300;

test("pieces are asked for no faster than the client takes them", async () => {
  /** What waited in memory each time that a piece was asked for. */
  const waiting: number[] = [];
  const area = testArea((app) => {
    route(app, {
      id: "lines",
      method: "GET",
      path: "/lines",
      rule: "lines",
      summary: "Lines",
      response: { 200: { description: "The lines.", contentType: "application/x-ndjson" } },
      async handler(_ctx, { reply }) {
        async function* all(): AsyncGenerator<string> {
          for (let n = 0; n < pieces; n += 1) {
            waiting.push(reply.raw.writableLength);
            yield piece;
          }
        }
        await sendJsonPieces(reply, all(), "application/x-ndjson");
      },
    });
  });
  server = await startTestServer([area]);
  const answer = await fetch(`${server.url}/api/test/lines`);
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect((await answer.text()).length).toBe(pieces * piece.length);
  expect(waiting).toHaveLength(pieces);
  expect(Math.max(...waiting)).toBeLessThan(3 * piece.length);
});
