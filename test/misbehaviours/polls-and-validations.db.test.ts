/** What an adapter may do once it has given a token, and when it is only asked for a verdict. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Behaviour, RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { OddName } from "../../src/adapters/mock/odd-answers.ts";
import type { WholeServer } from "../support/server.ts";
import { shortCallMs, startImpatientServer } from "./impatient-server.ts";
import { completed, failed, goesOn, openTestUnit, refused, type Outcome } from "./test-unit.ts";

let plinth: WholeServer;
beforeAll(async () => {
  plinth = await startImpatientServer({ "poll-never": shortCallMs, "poll-drip": shortCallMs });
});
afterAll(() => plinth.close());

const asynchronous = (behaviour: Partial<Behaviour> = {}): RequestedBehaviour => ({
  operations: { provision: { mode: "async", ...behaviour } },
});
const times = (name: OddName, count: number) => ({ name, times: count });
const always = Number.MAX_SAFE_INTEGER;
const label = "GET /v1/provision/{token}/status: ";

const endings: [title: string, name: string, requested: RequestedBehaviour, expected: Outcome][] = [
  [
    "answers 404",
    "poll-404",
    asynchronous({ odd: { poll: times("404", always) } }),
    failed(`${label}the adapter no longer knows the token (404).`, { polls: 1 }),
  ],
  [
    "answers TERMINATED unasked",
    "poll-terminated",
    asynchronous({ outcome: "TERMINATED", result: "the night shift is over" }),
    failed("The adapter stopped the work although nobody had asked it to: the night shift is over", {
      polls: 2,
    }),
  ],
  [
    "has given the same token before",
    "reused",
    asynchronous({ odd: { start: times("reused-token", always) } }),
    // Each is polled to an end of its own as far as the adapter says so.
    completed({ polls: 2 }),
  ],
  [
    "repeats its log lines",
    "repeated",
    asynchronous({ runningPolls: 4, logs: { lines: 2, style: "repeated" } }),
    completed({ polls: 5 }),
  ],
  [
    "sends a log that grows without end",
    "growing",
    asynchronous({ runningPolls: 6, logs: { lines: 300, style: "growing" } }),
    completed({
      polls: 7,
      log: ["WARNING The adapter sent more than 1000 lines for this task; the rest is left out."],
    }),
  ],
];

describe.concurrent("an adapter that, to a poll,", () => {
  it.each(endings)("%s", async (_title, name, requested, expected) => {
    const testUnit = await openTestUnit(plinth, name);
    try {
      const token = await testUnit.start(requested);
      expect(await testUnit.outcome(token)).toEqual(expected);
      const lines = await testUnit.adapterLines(token);
      const ofA = lines.filter((line) => line.startsWith("INFO provision of a: line "));
      // Each line is kept once and in its place, whatever was sent how often.
      const length = { repeated: 2, growing: 1_000 }[name] ?? ofA.length;
      expect(ofA).toEqual(Array.from({ length }, (_none, n) => `INFO provision of a: line ${n + 1}`));
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });

  it("changes its mind after a final status is not asked again", async () => {
    const testUnit = await openTestUnit(plinth, "flip");
    try {
      const token = await testUnit.start(asynchronous({ odd: { poll: times("flip", always) } }));
      const outcome = await testUnit.outcome(token);
      expect(outcome).toEqual(completed({ polls: 2 }));
      const adapterToken = testUnit.adapter
        .journal()
        .find(({ componentId, operation }) => operation === "provision" && componentId === "a")?.token;
      const flipped = await fetch(`${testUnit.adapter.url}/v1/provision/${adapterToken}/status`);
      expect(await flipped.json()).toMatchObject({ status: "FAILED" });
      expect(await testUnit.outcome(token)).toEqual(outcome);
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });

  it("gives one token to two tasks of a plan gets a warning for the second", async () => {
    const testUnit = await openTestUnit(plinth, "reused-twice");
    try {
      const requested = asynchronous({ odd: { start: times("reused-token", always) } });
      const outcome = await testUnit.run(requested, requested);
      expect(outcome).toEqual(
        completed({
          polls: outcome.polls,
          log: [
            "WARNING Provisioning of b: the adapter gave a token that it has given before, for provision:a.",
          ],
        }),
      );
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });
});

const faults: [name: string, odd: OddName, why: string][] = [
  ["never", "never", `<adapter> did not answer completely within ${shortCallMs} ms.`],
  ["drip", "drip", `<adapter> did not answer completely within ${shortCallMs} ms.`],
  ["huge", "huge", "<adapter> answered with more than 10485760 bytes."],
  ["bomb", "gzip-bomb", "<adapter> answered with more than 10485760 bytes."],
  ["malformed", "malformed-json", "the body of the adapter's 200 is not JSON."],
  ["types", "wrong-types", "the body of the adapter's 200 has a status that is not a string."],
  ["redirect", "redirect", "the adapter answered with a redirect (302)."],
  ["500", "500", "the adapter failed with 500: The warehouse is closed"],
  ["502", "502", "the adapter cannot answer now (502): <html>Bad Gateway</html>"],
  ["503", "503", "the adapter cannot answer now (503)."],
  ["reset", "reset-after", "The connection to <adapter> broke before the answer was complete (ECONNRESET)."],
  [
    "middle",
    "reset-middle",
    "The connection to <adapter> broke before the answer was complete (ECONNRESET).",
  ],
];

describe.concurrent("a poll that fails is repeated, and the call is not:", () => {
  it.each(faults)("%s", async (name, odd, why) => {
    const testUnit = await openTestUnit(plinth, `poll-${name}`);
    try {
      const count = name === "never" || name === "drip" ? 1 : 2;
      const outcome = await testUnit.run(asynchronous({ odd: { poll: times(odd, count) } }));
      const log = [`WARNING A poll did not succeed and is repeated: ${label}${why}`];
      // The two polls of the work itself, and those that failed; only some of these count as passed.
      expect(outcome).toEqual(completed({ polls: count + 2, log }));
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });
});

const verdicts: [title: string, odd: OddName, attempts: number, why: string][] = [
  [
    "answers 500 in plain text",
    "500-text",
    3,
    `the adapter failed with 500: ${`Traceback: ${"x".repeat(5_000)}`.slice(0, 2_047)}…`,
  ],
  ["sends malformed JSON", "malformed-json", 1, "the body of the adapter's 200 is not JSON."],
  [
    "sends a verdict of the wrong type",
    "wrong-types",
    1,
    "the body of the adapter's 200 has a `valid` that is not a boolean.",
  ],
  [
    "resets the connection",
    "reset-before",
    3,
    "The connection to <adapter> broke before the answer was complete (ECONNRESET).",
  ],
];

describe.concurrent("an adapter that, asked for a verdict,", () => {
  it.each(verdicts)("%s: nothing is provisioned", async (_title, odd, attempts, why) => {
    const testUnit = await openTestUnit(plinth, `verdict-${odd}`);
    try {
      const outcome = await testUnit.run({ odd: { validate: times(odd, always) } });
      const message = `POST /v1/validate: ${why}`;
      const retries = Array.from({ length: attempts - 1 }, (_none, n) => [
        `WARNING Validation of a: ${message} Trying again in ${10 * 2 ** n} ms.`,
        `WARNING Validation of a: attempt ${n + 2}, the same call under the same idempotency key.`,
      ]).flat();
      expect(outcome).toEqual(refused(message, [...retries, `ERROR Validation of a failed: ${message}`]));
      expect(await testUnit.run()).toEqual(goesOn);
    } finally {
      await testUnit.close();
    }
  });
});
