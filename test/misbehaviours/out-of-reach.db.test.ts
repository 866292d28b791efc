/** Adapters whose name, certificate or memory is gone, and one that cannot stop. */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WholeServer } from "../support/server.ts";
import { startImpatientServer } from "./impatient-server.ts";
import { completed, failed, goesOn, openTestUnit, type Outcome, type TestUnit } from "./test-unit.ts";

let plinth: WholeServer;
beforeAll(async () => {
  plinth = await startImpatientServer();
});
afterAll(() => plinth.close());

const pem = readFileSync(
  new URL("../../src/platform/outbound/testdata/self-signed-localhost.pem", import.meta.url),
);

/** Neither component got a verdict, so nothing was provisioned. */
function unreachable(outcome: Outcome, why: string): void {
  const message = `POST /v1/validate: ${why}`;
  const last = `${message} It was tried for 50 ms.`;
  const skipped = ["SKIPPED", "A task that this one needs did not complete."];
  const { log, ...rest } = outcome;
  expect(rest).toEqual({
    plan: "FAILED: Failed: a, b.",
    tasks: {
      "provision:a": skipped,
      "provision:b": skipped,
      "validate:a": ["FAILED", last],
      "validate:b": ["FAILED", last],
    },
    components: {},
    calls: [],
    polls: 0,
  });
  for (const id of ["a", "b"]) {
    // The two are asked at the same time, so only the lines of each are in order.
    const lines = log.filter((line) => line.includes(`Validation of ${id}`));
    expect(lines.slice(0, 2)).toEqual([
      `WARNING Validation of ${id}: ${message} Trying again in 10 ms.`,
      `WARNING Validation of ${id}: attempt 2, the same call under the same idempotency key.`,
    ]);
    // How many more there are depends on how long each takes.
    expect(lines.at(-1)).toBe(`ERROR Validation of ${id} failed: ${last}`);
  }
}

async function untilPolled({ adapter }: TestUnit): Promise<void> {
  await expect.poll(() => adapter.journal().some(({ operation }) => operation === "poll")).toBe(true);
}

const endless = { operations: { provision: { mode: "async", runningMs: 600_000 } } } as const;

describe.concurrent("an adapter", () => {
  it("whose name is not known changes nothing, and the unit goes on once it is", async () => {
    const testUnit = await openTestUnit(plinth, "dns", "http://adapter.invalid:4101");
    try {
      // A resolver that is in trouble itself answers EAI_AGAIN.
      const outcome = JSON.stringify(await testUnit.run()).replaceAll("EAI_AGAIN", "ENOTFOUND");
      unreachable(JSON.parse(outcome), "The name of <adapter> could not be resolved (ENOTFOUND).");
      await testUnit.register(testUnit.adapter.url);
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });

  it("whose certificate nobody vouches for changes nothing", async () => {
    let requests = 0;
    const server = createServer({ key: pem, cert: pem }, (_request, response) => {
      requests += 1;
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const testUnit = await openTestUnit(
      plinth,
      "tls",
      `https://localhost:${(server.address() as AddressInfo).port}`,
    );
    try {
      const why = "No trusted TLS connection to <adapter> could be made (DEPTH_ZERO_SELF_SIGNED_CERT).";
      unreachable(await testUnit.run(), why);
      expect(requests).toBe(0);
      await testUnit.register(testUnit.adapter.url);
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      server.closeAllConnections();
      server.close();
      await testUnit.close();
    }
  });

  it("that forgets its tokens at a restart fails the task, which is not started again", async () => {
    const testUnit = await openTestUnit(plinth, "forgetful");
    try {
      const token = await testUnit.start(endless);
      await untilPolled(testUnit);
      testUnit.adapter.forget();
      const outcome = await testUnit.outcome(token);
      const why = "GET /v1/provision/{token}/status: the adapter no longer knows the token (404).";
      expect(outcome).toEqual(failed(why, { polls: outcome.polls }));
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });

  it("that answers 501 to DELETE is left to itself, and its component counts as corrupt", async () => {
    const testUnit = await openTestUnit(plinth, "unstoppable");
    try {
      const token = await testUnit.start({
        operations: { provision: { ...endless.operations.provision, terminate: "unsupported" } },
      });
      await untilPolled(testUnit);
      expect((await testUnit.post(`/v1/execution-plans/${token}/terminate?mode=forced`)).status).toBe(202);
      const outcome = await testUnit.outcome(token);
      const why = "DELETE /v1/provision/{token}: the adapter does not support it (501).";
      expect(outcome).toEqual({
        ...completed(),
        plan: "TERMINATED: Terminated by force on request.",
        tasks: {
          "provision:a": ["TERMINATED", why],
          "provision:b": ["TERMINATED", "The plan was terminated before this task began."],
          "validate:a": "COMPLETED",
          "validate:b": "COMPLETED",
        },
        components: { a: "CORRUPT", b: "NOT_DEPLOYED" },
        calls: ["provision plan:provision:a acted", "terminate plan:provision:a"],
        polls: outcome.polls,
        log: [`WARNING Provisioning of a was terminated: ${why}`],
      });
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });
});
