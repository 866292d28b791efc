/** Following a stream that a server, or a proxy before it, ends again and again. */
import { expect, test } from "vitest";
import { playServer, type Played } from "../testdata.ts";
import { followStream } from "./follow-stream.ts";

const stream = (text: string): Played => ({ text, headers: { "content-type": "text/event-stream" } });
const last = stream("id: 1\nevent: plan\ndata: end\n\n");
const pace = { attempts: 2, firstDelayMs: 1 };

async function follow(...answers: Played[]): Promise<string[]> {
  await using played = await playServer({ "GET /events": answers });
  const server = { url: played.url, signal: new AbortController().signal };
  const followed = {
    path: "/events",
    isLast: ({ data }: { data: string }) => data === "end",
    broken: { message: "It breaks off.", solution: "Ask again." },
  };
  const found: string[] = [];
  for await (const { data } of followStream(server, followed, pace)) found.push(data);
  return found;
}

test("connections that were alive for long are no failed attempts: a plan waits longer than a proxy keeps one open", async () => {
  const quiet = stream(": \n\n: \n\n");
  expect(await follow(quiet, quiet, quiet, quiet, last)).toEqual(["end"]);
});

test("a stream that ends at once again and again is given up", async () => {
  const empty = stream(": \n\n");
  await expect(follow(empty, empty, empty, last)).rejects.toThrow("It breaks off.");
});
