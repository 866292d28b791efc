/** Streams end with the credentials that they were opened with, and only then. */
import { connect } from "node:net";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { startTestServer, testActor, testArea } from "../../../../test/support/http.ts";
import { Failure, type FailureKind } from "../../errors/failure.ts";
import type { Actor } from "../../lib/actor.ts";
import type { RequestContext } from "../../lib/request-context.ts";
import type { AccessControl } from "../kit.ts";
import { route } from "../operation.ts";
import { streamEvents, type StreamRecord } from "./sse.ts";

type Source = (ctx: RequestContext) => AsyncIterable<StreamRecord>;

const streamArea = (source: Source) =>
  testArea((app) =>
    route(app, {
      id: "stream",
      method: "GET",
      path: "/stream",
      summary: "Events",
      rule: "read",
      response: { 200: { description: "Events", contentType: "text/event-stream" } },
      handler: (ctx, { reply }) => streamEvents(reply, source(ctx)),
    }),
  );

/** Until the stream ends. */
async function* silence({ signal }: RequestContext): AsyncGenerator<StreamRecord> {
  yield { id: 1, data: "hello" };
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

const failing = (kind: FailureKind): Failure => new Failure({ kind, code: "TEST", message: "of the test" });

interface Access {
  /** What the next authentication of that token does. */
  answers: Map<string, () => Actor | Promise<Actor>>;
  asked: string[];
  control: AccessControl;
}

function testAccess(more: Partial<AccessControl> = {}): Access {
  const answers: Access["answers"] = new Map();
  const asked: string[] = [];
  const control: AccessControl = {
    authenticate({ authorization = "" }) {
      asked.push(authorization);
      return answers.get(authorization)?.() ?? testActor;
    },
    authorize: () => undefined,
    hasRule: () => true,
    isPublic: () => false,
    ...more,
  };
  return { answers, asked, control };
}

const open = async (url: string, authorization: string): Promise<{ ended: Promise<string> }> => {
  const { body } = await request(`${url}/api/test/stream`, { headers: { authorization } });
  return { ended: body.text() };
};

/** Rounds in which both streams were looked at. */
const looks = ({ asked }: Access, authorization: string): number =>
  asked.filter((each) => each === authorization).length;

describe("a stream", () => {
  it.each<[string, () => Actor | Promise<Actor>]>([
    [
      "is not accepted",
      () => {
        throw failing("unauthenticated");
      },
    ],
    ["is found to be revoked", () => Promise.reject(failing("unauthenticated"))],
  ])("ends when its token %s, with a reason, and others stay", async (_what, refusal) => {
    const access = testAccess();
    await using server = await startTestServer([streamArea(silence)], { access: access.control });
    const stream = await open(server.url, "a");
    await open(server.url, "b");
    expect(server.openStreams()).toBe(2);
    access.answers.set("a", refusal);
    expect(await stream.ended).toBe("id: 1\ndata: hello\n\n: the credentials are not accepted any more\n\n");
    await expect.poll(server.openStreams).toBe(1);
    const before = looks(access, "b");
    await expect.poll(() => looks(access, "b")).toBeGreaterThan(before + 1);
    expect(server.openStreams()).toBe(1);
  });

  it("ends when its caller has lost the roles for it", async () => {
    let mayRead = true;
    const access = testAccess({
      authorize() {
        if (!mayRead) throw failing("forbidden");
      },
    });
    await using server = await startTestServer([streamArea(silence)], { access: access.control });
    const stream = await open(server.url, "a");
    mayRead = false;
    expect(await stream.ended).toContain("not accepted any more");
  });

  it.each<FailureKind>(["unavailable", "internal"])(
    "stays while that can't be found out: %s",
    async (kind) => {
      const access = testAccess();
      await using server = await startTestServer([streamArea(silence)], { access: access.control });
      await open(server.url, "a");
      access.answers.set("a", () => Promise.reject(failing(kind)));
      await expect.poll(() => looks(access, "a")).toBeGreaterThan(3);
      expect(server.openStreams()).toBe(1);
    },
  );

  it("of a public operation has no credentials that could end", async () => {
    const access = testAccess({ isPublic: () => true });
    await using server = await startTestServer([streamArea(silence)], { access: access.control });
    await open(server.url, "a");
    access.answers.set("a", () => Promise.reject(failing("unauthenticated")));
    await new Promise((done) => setTimeout(done, 2_500));
    expect([server.openStreams(), access.asked]).toEqual([1, []]);
  });

  it("of a client that reads nothing is cut", async () => {
    async function* flood({ signal }: RequestContext): AsyncGenerator<StreamRecord> {
      while (!signal.aborted) yield { data: "x".repeat(10_000) };
    }
    const access = testAccess();
    await using server = await startTestServer([streamArea(flood)], { access: access.control });
    const socket = connect(server.port, "127.0.0.1").pause();
    socket.write("GET /api/test/stream HTTP/1.1\r\nhost: a\r\nauthorization: a\r\n\r\n");
    await expect.poll(server.openStreams).toBe(1);
    access.answers.set("a", () => Promise.reject(failing("unauthenticated")));
    await expect.poll(server.openStreams).toBe(0);
    socket.destroy();
  });

  it("is not asked about for its events", async () => {
    async function* many({ signal }: RequestContext): AsyncGenerator<StreamRecord> {
      for (let id = 0; id < 5_000 && !signal.aborted; id += 1) yield { id, data: "x" };
    }
    const access = testAccess();
    await using server = await startTestServer([streamArea(many)], { access: access.control });
    await (
      await open(server.url, "a")
    ).ended;
    expect(access.asked.length).toBeLessThan(5);
  });
});
