/** Validation: a verdict on every descriptor, and nothing changed by it. */
import type { JsonObject } from "../../kit/protocol.ts";
import { adviceOnRefusal } from "../advice.ts";
import type { Check, Finding } from "../check.ts";
import { skip } from "../check.ts";
import type { Exchange } from "../exchange.ts";
import { isNotOffered } from "../offered.ts";
import { readRefusal } from "../refusals.ts";
import type { Session } from "../session.ts";
import { labelOf, readStatus, readToken, readVerdict, verdictOf } from "../shapes.ts";
import { collector, type Deviation } from "../deviation.ts";
import type { Verdict } from "../shapes.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `validation.${name}`,
  group: "validation",
  title,
  changes: false,
  run,
});

export const validationChecks: Check[] = [
  check("valid", "accepts the component's descriptor", async (session) =>
    expectValid(await session.post("/v1/validate", validateBody(session))),
  ),
  check(
    "unknown-component",
    "refuses a descriptor that names a component it does not hold",
    async (session) =>
      expectInvalid(
        await session.post("/v1/validate", validateBody(session, session.descriptorText(session.newId()))),
      ),
  ),
  check("unreadable", "refuses a descriptor that is not YAML", async (session) =>
    expectInvalid(await session.post("/v1/validate", validateBody(session, "{ not: [closed"))),
  ),
  check("invalid", "refuses the descriptor given as invalid", async (session) => {
    const { invalidUnit } = session.subject;
    if (invalidUnit === undefined) return skip("no --invalid-descriptor was given");
    const text = session.descriptorText(undefined, invalidUnit);
    return expectInvalid(await session.post("/v1/validate", validateBody(session, text)));
  }),
  check("v2-valid", "accepts it asynchronously too, where /v2/validate is offered", (session) =>
    validateLater(session, session.descriptorText(), true),
  ),
  check("v2-invalid", "refuses asynchronously too", (session) =>
    validateLater(session, session.descriptorText(session.newId()), false),
  ),
];

const validateBody = (session: Session, descriptor = session.descriptorText()): JsonObject => ({
  descriptorKind: "COMPONENT_DESCRIPTOR",
  descriptor,
  removeData: false,
});

function expectValid(exchange: Exchange): Finding {
  if (exchange.answer?.status !== 200) return { deviations: notAnswered(exchange) };
  const { value, deviations } = readVerdict(exchange);
  if (value) deviations.push(...asWanted(exchange, value, true));
  return { deviations };
}

function expectInvalid(exchange: Exchange): Finding {
  if (exchange.answer?.status !== 200) return { deviations: invalidRefusal(exchange) };
  const { value, deviations } = readVerdict(exchange);
  if (value) deviations.push(...asWanted(exchange, value, false));
  return { deviations };
}

const invalidRefusal = (exchange: Exchange): Deviation[] =>
  readRefusal(exchange, {
    statuses: [400, 422],
    protocol: "A descriptor that is not valid is answered 200 `{valid: false, error: {errors}}`, or 400.",
    fix: "Read the descriptor before anything else, and answer what is wrong with it as its author's mistake.",
  });

const notAnswered = (exchange: Exchange): Deviation[] =>
  readRefusal(exchange, {
    statuses: [],
    protocol: "A validation is answered 200 with the verdict.",
    fix: adviceOnRefusal(exchange),
  });

function asWanted(exchange: Exchange, verdict: Verdict, wanted: boolean): Deviation[] {
  if (verdict.valid === wanted) return [];
  const { deviations, say } = collector(exchange);
  if (wanted) {
    const errors = verdict.errors.slice(0, 5).join("; ");
    say(
      "fail",
      `The descriptor is not valid for the adapter: ${errors === "" ? "no error says why" : errors}.`,
      "A descriptor that can be provisioned is valid.",
      "Give a descriptor for this adapter with --descriptor, or correct the validation.",
    );
  } else {
    say(
      "fail",
      "A descriptor that cannot be provisioned was called valid.",
      "Validation finds every problem before anything is changed; a failure here stops the plan in time.",
      "Look for the component named by componentIdToProvision, and refuse when it is not there.",
    );
  }
  return deviations;
}

async function validateLater(session: Session, descriptor: string, wanted: boolean): Promise<Finding> {
  const first = await session.post("/v2/validate", validateBody(session, descriptor));
  const status = first.answer?.status ?? 0;
  if (isNotOffered(first)) return skip(`the adapter does not offer /v2/validate (${status})`);
  if (status === 200) return laterFinding(first, wanted);
  if (!wanted && [400, 422].includes(status)) return { deviations: invalidRefusal(first) };
  if (status !== 202) return { deviations: notAnswered(first) };
  const { value: token, deviations } = readToken(first);
  if (token === undefined) return { deviations };
  const path = `/v2/validate/${encodeURIComponent(token)}/status`;
  const last = await session.poll(path);
  if (last.answer?.status !== 200) return { deviations: [...deviations, ...notAnswered(last)] };
  const finding = laterFinding(last, wanted);
  return { deviations: [...deviations, ...finding.deviations] };
}

/** The end of an asynchronous validation, which may also be the answer to its start. */
function laterFinding(last: Exchange, wanted: boolean): { deviations: Deviation[] } {
  const report = readStatus(last);
  // Here `result` is the verdict itself, as an object or as its JSON text.
  const deviations = report.deviations.filter(({ what }) => !what.includes("`result`"));
  const verdict = laterVerdict(last);
  if (verdict) return { deviations: [...deviations, ...asWanted(last, verdict, wanted)] };
  if (!wanted && report.value?.status === "FAILED") return { deviations };
  const { deviations: more, say } = collector(last);
  say(
    "fail",
    `${labelOf(last)}: the validation ended without a verdict.`,
    "The end carries the verdict in `result` or in `info.publicInfo`.",
    "Put `{valid, error?}` into `result`.",
  );
  return { deviations: [...deviations, ...more] };
}

function laterVerdict({ answer }: Exchange): Verdict | undefined {
  const body = parse(answer?.text ?? "");
  if (!isRecord(body)) return undefined;
  const result = typeof body["result"] === "string" ? parse(body["result"]) : body["result"];
  const info = isRecord(body["info"]) ? body["info"]["publicInfo"] : undefined;
  return verdictOf(result) ?? verdictOf(info);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
