import { Type } from "typebox";
import { expect, it } from "vitest";
import { collectGarbage } from "../../../../test/support/collect-garbage.ts";
import { startTestServer, testArea } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";

const count = 20;
/** Before the server looks for slow requests, or closes a connection that has had none. */
const soonMs = 3_000;

it.each(["GET", "POST"] as const)(
  "a %s that is answered is let go, on a connection that stays",
  async (method) => {
    const requests: WeakRef<object>[] = [];
    const timers: NodeJS.Timeout[] = [];
    const area = testArea((app) =>
      route(app, {
        id: "note",
        method,
        path: "/v1/note",
        summary: "Notes its request",
        rule: "read",
        ...(method === "POST" && { body: Type.Object({}) }),
        response: { 200: Type.String() },
        handler(_, { raw }) {
          requests.push(new WeakRef(raw.raw));
          // As the pool of the database does for a connection that has become idle.
          timers.push(setTimeout(() => {}, 60_000));
          return "noted";
        },
      }),
    );
    await using server = await startTestServer([area]);
    const init = {
      method,
      ...(method === "POST" && { body: "{}", headers: { "content-type": "application/json" } }),
    };
    for (let n = 0; n < count; n += 1) {
      const answer = await fetch(`${server.url}/api/test/v1/note`, init);
      expect(await answer.json()).toBe("noted");
    }
    expect(requests).toHaveLength(count);
    const held = (): number => {
      collectGarbage();
      return requests.filter((request) => request.deref() !== undefined).length;
    };
    await expect.poll(held, { timeout: soonMs }).toBe(0);
    timers.forEach(clearTimeout);
  },
);
