/** Malformed input: refused with a message and without effect, and the adapter still answers afterwards. */
import type { Check, Finding } from "../check.ts";
import type { Call } from "../exchange.ts";
import { isNotOffered } from "../offered.ts";
import { readOddRefusal } from "../refusals.ts";
import { keyHeader } from "../operation.ts";
import type { Session } from "../session.ts";
import { labelOf, readToken } from "../shapes.ts";
import { collector } from "../deviation.ts";

type Make = (session: Session) => Omit<Call, "method" | "path"> & Partial<Call>;

const hugeBytes = 32 * 1024 * 1024;
const json = (value: unknown): { body: string } => ({ body: JSON.stringify(value) });
const text = (session: Session): string => session.descriptorText();

/** Requests to POST /v1/provision unless they say otherwise. */
const bodies: [name: string, title: string, make: Make, more?: { statuses?: number[]; fix?: string }][] = [
  ["malformed-json", "JSON that breaks off", (s) => ({ body: JSON.stringify(s.body()).slice(0, -1) })],
  ["no-body", "an empty body", () => ({ body: "" })],
  ["list-body", "a body that is a list", () => json([])],
  ["no-kind", "a missing descriptorKind", (s) => json({ descriptor: text(s), removeData: false })],
  ["wrong-kind", "an unknown descriptorKind", (s) => json({ ...s.body(), descriptorKind: "SOMETHING_ELSE" })],
  ["no-descriptor", "a missing descriptor", () => json({ descriptorKind: "COMPONENT_DESCRIPTOR" })],
  ["descriptor-type", "a descriptor that is no text", (s) => json({ ...s.body(), descriptor: 7 })],
  [
    "descriptor-yaml",
    "a descriptor that is not YAML",
    (s) => json({ ...s.body(), descriptor: "{ not: [closed" }),
  ],
  ["unknown-component", "a component that the descriptor does not hold", (s) => json(s.body(s.newId()))],
  [
    "unknown-unprovision",
    "the removal of a component that the descriptor does not hold",
    (s) => ({ ...json(s.body(s.newId())), path: "/v1/unprovision" }),
  ],
  [
    "huge-body",
    "a body of 32 MiB",
    (s) => json({ ...s.body(s.newId()), descriptor: "x".repeat(hugeBytes) }),
    { statuses: [400, 413, 422], fix: "Limit the size of a body, and answer 413 beyond it." },
  ],
];

/** Paths and methods that are not in the protocol. */
const others: [name: string, title: string, call: (session: Session) => Call, statuses: number[]][] = [
  ["unknown-path", "a path beside the protocol", () => ({ method: "GET", path: "/v1/no-such-path" }), [404]],
  ["wrong-method", "GET /v1/provision", () => ({ method: "GET", path: "/v1/provision" }), [404, 405]],
  [
    "unknown-token",
    "the status of an unknown token",
    (s) => ({ method: "GET", path: `/v1/provision/${s.newId()}/status` }),
    [400, 404, 410],
  ],
  [
    "odd-token",
    "the status of a token made of odd characters",
    () => ({ method: "GET", path: `/v1/provision/${encodeURIComponent("../;' --\u0000é")}/status` }),
    [400, 404, 410],
  ],
];

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `input.${name}`,
  group: "input",
  title,
  changes: true,
  run,
});

export const oddInputChecks: Check[] = [
  ...bodies.map(([name, title, make, more]) =>
    check(name, `refuses ${title}`, async (session) =>
      expectRefusal(session, {
        call: {
          method: "POST",
          path: "/v1/provision",
          headers: keyHeader(`conformance:${session.newId()}`),
          ...make(session),
        },
        statuses: more?.statuses ?? [400, 422],
        fix: more?.fix ?? "Check the whole request before anything is changed, and name every problem.",
      }),
    ),
  ),
  ...others.map(([name, title, call, statuses]) =>
    check(name, `refuses ${title}`, (session) =>
      expectRefusal(session, {
        call: call(session),
        statuses,
        fix: "Answer what is not known with 404, without looking it up elsewhere.",
      }),
    ),
  ),
  check("alive-after", "is still there after all this", async (session) => {
    const exchange = await session.post("/v1/validate", {
      descriptorKind: "COMPONENT_DESCRIPTOR",
      descriptor: session.descriptorText(),
      removeData: false,
    });
    if (exchange.answer?.status === 200) return { deviations: [] };
    const { deviations, say } = collector(exchange);
    say(
      "fail",
      `${labelOf(exchange)}: ${exchange.fault ?? `answered ${exchange.answer?.status ?? 0}`}.`,
      "Odd input must not bring an adapter down.",
      "Look into the adapter's log for what broke it.",
    );
    return { deviations };
  }),
];

interface Expected {
  call: Call;
  statuses: number[];
  fix: string;
}

async function expectRefusal(session: Session, { call, statuses, fix }: Expected): Promise<Finding> {
  const exchange = await session.call(call);
  // Many servers close the connection when a body is far too large; whether their 413 arrives first is
  // random.
  const isHuge = call.body !== undefined && call.body.length >= hugeBytes;
  if (isHuge && exchange.fault !== undefined && !exchange.timedOut) {
    return { deviations: [], note: "it closed the connection" };
  }
  const accepted = exchange.answer?.status === 202 ? readToken(exchange).value : undefined;
  if (accepted !== undefined) {
    const ended = await session.follow("provision", exchange);
    // Refusing later is correct too, when nothing was done.
    if (ended.report?.status === "FAILED") return { deviations: [], note: "refused after it had accepted" };
  }
  if (exchange.answer?.status === 200 && /"status"\s*:\s*"FAILED"/i.test(exchange.answer.text)) {
    return { deviations: [], note: "answered 200 with FAILED" };
  }
  // An adapter that answers everything at once gives no tokens, and need not know of any.
  const isWanted = statuses.includes(exchange.answer?.status ?? 0);
  if (exchange.method === "GET" && !isWanted && isNotOffered(exchange))
    return { deviations: [], note: "not offered" };
  const protocol = `It is refused with ${statuses.join(" or ")}, and nothing is done.`;
  return { deviations: readOddRefusal(exchange, { statuses, protocol, fix }) };
}
