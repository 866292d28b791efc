/** `/_mock/…`: tests and demos set the mock's behaviour here and read its journal. */
import type { Problem } from "../../platform/errors/failure.ts";
import type { RequestedBehaviour } from "./behaviour.ts";
import { readRequested } from "./behaviour.ts";
import type { Call, MockState } from "./protocol.ts";
import type { Reply } from "./reply.ts";
import { json } from "./reply.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

type SetBehaviours = (behaviours: {
  default?: RequestedBehaviour;
  components?: Record<string, RequestedBehaviour>;
}) => void;

/**
 * GET, DELETE /_mock/journal (`?operation=`, `?component=`, `?after=<sequence>` filter); GET /_mock/effects;
 * PUT /_mock/behaviours with `{default?, components?: {<id>: behaviour}}`; DELETE /_mock/tasks forgets tokens
 * and idempotency keys as a restart does.
 */
export function handleControl(state: MockState, setBehaviours: SetBehaviours, call: Call): Reply {
  const url = new URL(call.path, "http://mock");
  switch (`${call.method} ${url.pathname}`) {
    case "GET /_mock/journal":
      return json(200, filtered(state, url.searchParams));
    case "DELETE /_mock/journal":
      state.journal.clear();
      return json(200, {});
    case "GET /_mock/effects":
      return json(200, state.journal.effects());
    case "PUT /_mock/behaviours":
      return putBehaviours(setBehaviours, call.body);
    case "DELETE /_mock/tasks":
      state.tasks.forget();
      return json(200, {});
    default:
      return json(404, { error: "The mock has no such control." });
  }
}

function filtered(state: MockState, query: URLSearchParams) {
  const operation = query.get("operation");
  const component = query.get("component");
  const after = Number(query.get("after") ?? 0);
  return state.journal
    .entries()
    .filter((entry) => operation === null || entry.operation === operation)
    .filter((entry) => component === null || entry.componentId === component)
    .filter((entry) => entry.sequence > after);
}

function putBehaviours(setBehaviours: SetBehaviours, body: Buffer): Reply {
  const parsed = parse(body);
  if (!isRecord(parsed)) return refusal([{ where: "", message: "must be a JSON object" }]);
  const problems: Problem[] = [];
  const read = (value: unknown, where: string): RequestedBehaviour => {
    const { requested, problems: found } = readRequested(value, where);
    problems.push(...found);
    return requested;
  };
  for (const name of Object.keys(parsed)) {
    if (name !== "default" && name !== "components")
      problems.push({ where: `/${name}`, message: "is not known" });
  }
  const allRequested: { default?: RequestedBehaviour; components?: Record<string, RequestedBehaviour> } = {};
  if (parsed["default"] !== undefined) allRequested.default = read(parsed["default"], "/default");
  if (isRecord(parsed["components"])) {
    const entries = Object.entries(parsed["components"]);
    allRequested.components = Object.fromEntries(
      entries.map(([id, value]) => [id, read(value, `/components/${id}`)]),
    );
  } else if (parsed["components"] !== undefined) {
    problems.push({ where: "/components", message: "must be an object" });
  }
  if (problems.length > 0) return refusal(problems);
  setBehaviours(allRequested);
  return json(200, {});
}

const refusal = (problems: Problem[]) =>
  json(400, { errors: problems.map((problem) => `${problem.where} ${problem.message}`.trim()) });

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
