/** What an adapter may answer to a start, and the exact end of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Behaviour, RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { OddName } from "../../src/adapters/mock/odd-answers.ts";
import type { WholeServer } from "../support/server.ts";
import { shortCallMs, startImpatientServer } from "./impatient-server.ts";
import { completed, failed, goesOn, openTestUnit, type Outcome } from "./test-unit.ts";

let plinth: WholeServer;
beforeAll(async () => {
  plinth = await startImpatientServer({ never: shortCallMs, late: shortCallMs, drip: shortCallMs });
});
afterAll(() => plinth.close());

const provisioning = (behaviour: Partial<Behaviour>): RequestedBehaviour => ({
  operations: { provision: behaviour },
});
const always = (name: OddName): RequestedBehaviour =>
  provisioning({ odd: { start: { name, times: Number.MAX_SAFE_INTEGER } } });
const once = (name: OddName): RequestedBehaviour => provisioning({ odd: { start: { name, times: 1 } } });

const label = "POST /v1/provision: ";
const [first, repeat, unacted, ofB] = [
  "provision plan:provision:a acted",
  "provision plan:provision:a repeat",
  "provision plan:provision:a",
  "provision plan:provision:b acted",
];
const again = (attempt: number): string =>
  `WARNING Provisioning of a: attempt ${attempt}, the same call under the same idempotency key.`;
/** The warnings of a call that failed `times` times, waiting 10 ms and then twice as long each time. */
const retries = (why: string, times: number): string[] =>
  Array.from({ length: times }, (_none, n) => [
    `WARNING Provisioning of a: ${why} Trying again in ${10 * 2 ** n} ms.`,
    again(n + 2),
  ]).flat();
/** Three times in vain. */
const nothingDone = (why: string, calls: string[]): Outcome =>
  failed(why, { calls, log: [...retries(why, 2), `ERROR Provisioning of a failed: ${why}`] });
const done = (result: string, more: Partial<Outcome> = {}): Outcome =>
  completed({ ...more, tasks: { ...completed().tasks, "provision:a": ["COMPLETED", result] } });

const tooLate = (ms: number): string => `${label}<adapter> did not answer completely within ${ms} ms.`;
const tooLarge = `${label}<adapter> answered with more than 10485760 bytes.`;
const broken = `${label}The connection to <adapter> broke before the answer was complete (ECONNRESET).`;
const traceback = `${label}the adapter failed with 500: ${`Traceback: ${"x".repeat(5_000)}`.slice(0, 2_047)}…`;
const redirected = `${label}the adapter answered with a redirect (302).`;

const cases: [title: string, name: string, requested: RequestedBehaviour, expected: Outcome][] = [
  ["never answers", "never", always("never"), nothingDone(tooLate(shortCallMs), [first, repeat, repeat])],
  [
    "answers after the deadline: the repeat gets the answer",
    "late",
    provisioning({ delayMs: shortCallMs + 1_500 }),
    completed({ calls: [first, repeat, ofB], log: retries(tooLate(shortCallMs), 1) }),
  ],
  ["drips", "drip", always("drip"), nothingDone(tooLate(shortCallMs), [first, repeat, repeat])],
  ["answers 10 MB and more", "huge", always("huge"), failed(tooLarge)],
  ["sends a gzip bomb", "bomb", always("gzip-bomb"), failed(tooLarge)],
  [
    "sends malformed JSON",
    "malformed",
    always("malformed-json"),
    failed(`${label}the body of the adapter's 200 is not JSON.`),
  ],
  ["sends nothing", "empty", always("empty-body"), failed(`${label}the body of the adapter's 200 is empty.`)],
  [
    "answers 202 without a token",
    "no-token",
    always("no-token"),
    failed(`${label}the body of the adapter's 202 is an object without a token.`),
  ],
  ["redirects", "redirect", always("redirect"), failed(redirected, { calls: [unacted] })],
  [
    "asks for patience with 429 and Retry-After",
    "patience",
    once("429"),
    completed({
      calls: [unacted, first, ofB],
      log: [
        `WARNING Provisioning of a: ${label}the adapter asks for fewer calls (429): slow down. Trying again in 3000 ms.`,
        again(2),
      ],
    }),
  ],
  [
    "sends a status of the wrong type",
    "types",
    always("wrong-types"),
    failed(`${label}the body of the adapter's 200 has a status that is not a string.`),
  ],
  [
    "sends members of the wrong types beside a status",
    "members",
    always("odd-members"),
    done('{"n":1}', { log: ["WARNING The adapter's `info` is not an object; it was left out."] }),
  ],
  ["answers 500 in plain text", "text", always("500-text"), failed(traceback, { calls: [unacted] })],
  [
    "resets the connection before it acts",
    "reset-before",
    once("reset-before"),
    completed({ calls: [unacted, first, ofB], log: retries(broken, 1) }),
  ],
  [
    "resets the connection after it has acted",
    "reset-after",
    once("reset-after"),
    completed({ calls: [first, repeat, ofB], log: retries(broken, 1) }),
  ],
  [
    "resets every connection",
    "reset-always",
    always("reset-after"),
    nothingDone(broken, [first, repeat, repeat]),
  ],
  ["writes the status in another case", "case", always("status-case"), done("done")],
  ["sends null for info and error", "null", always("null-info"), done("done")],
  [
    "stops unasked",
    "terminated",
    always("terminated"),
    failed("The adapter stopped the work although nobody had asked it to."),
  ],
];

describe.concurrent("an adapter that, to a start,", () => {
  it.each(cases)("%s", async (_title, name, requested, expected) => {
    const testUnit = await openTestUnit(plinth, name);
    try {
      const outcome = await testUnit.run(requested);
      const calls = testUnit.adapter.journal().filter(({ operation }) => operation === "provision");
      // No wedge: the unit takes its next plan, and the adapter that behaves now is called under fresh keys.
      const next = await testUnit.run();
      expect([outcome, next]).toEqual([expected, goesOn]);
      const [asked = 0, repeated = 0] = calls.map(({ time }) => Date.parse(time));
      if (name === "patience") expect(repeated - asked).toBeGreaterThanOrEqual(2_990);
    } finally {
      await testUnit.close();
    }
  });
});
