import { describe, expect, it } from "vitest";
import { createClient, resultOf, type ClientOptions } from "./client.ts";

/** The header that a request and a stream are sent with. */
async function headersOf(token: ClientOptions["token"]): Promise<(string | null)[]> {
  const sent: (string | null)[] = [];
  const plinth = createClient({
    url: "http://plinth.test",
    ...(token !== undefined && { token }),
    fetch: async (request) => {
      sent.push(request.headers.get("authorization"));
      return request.url.endsWith("/events")
        ? new Response('id: 1\nevent: end\ndata: {"status":"COMPLETED"}\n\n')
        : Response.json({ data: [] });
    },
  });
  await resultOf(plinth.coordinator.GET("/api/coordinator/v1/environments", { params: {} }));
  const events = plinth.follow("/api/x/events");
  await events.next();
  await events.return(undefined);
  return sent;
}

describe("the token", () => {
  it.each<[string, ClientOptions["token"], string | null]>([
    ["is sent", "abc", "Bearer abc"],
    ["is asked for", async () => "abc", "Bearer abc"],
    ["may be absent", undefined, null],
    ["may be empty, as of a variable that is not set", "", null],
    ["may be answered empty", () => "", null],
  ])("%s", async (_case, token, expected) => {
    expect(await headersOf(token)).toEqual([expected, expected]);
  });
});
