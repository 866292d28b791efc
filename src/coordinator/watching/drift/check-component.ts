/** Asks an adapter whether one component still is as it was deployed. Changes nothing. */
import type { Done, PollAnswer, StartAnswer } from "../../adapters/protocol/answers.ts";
import type { AdapterCall, AdapterClient } from "../../adapters/protocol/client.ts";
import { reverseProvisioningBody } from "../../adapters/protocol/request-bodies.ts";
import { driftPointers } from "./compare.ts";
import type { ComponentDrift } from "./schema.ts";

export interface DeployedComponent {
  id: string;
  descriptor: Record<string, unknown>;
  /** Address of its adapter in the environment; null when there is none. */
  url: string | null;
  templateId: string | null;
  validationBody: () => Buffer[];
}

export interface CheckDeps {
  adapters: AdapterClient;
  environment: string;
  checkId: string;
  traceparent: string;
  callTimeoutMs: number;
  pollMs: number;
  /** Aborted when the whole check times out. */
  signal: AbortSignal;
}

export async function checkComponent(deps: CheckDeps, component: DeployedComponent): Promise<ComponentDrift> {
  const found: ComponentDrift = {
    componentId: component.id,
    result: "NO_DRIFT",
    why: "The adapter finds it valid, and can tell no more.",
    pointers: [],
    problems: [],
    checkedBy: [],
  };
  const { url } = component;
  if (url === null) {
    const why = `No adapter is enabled for ${component.templateId ?? "it"} in ${deps.environment}.`;
    return { ...found, result: "UNKNOWN", why };
  }
  const call: AdapterCall = {
    url,
    adapterId: component.templateId,
    idempotencyKey: `drift:${deps.checkId}:${component.id}`,
    traceparent: deps.traceparent,
    timeoutMs: deps.callTimeoutMs,
    signal: deps.signal,
  };
  const verdict = await deps.adapters.validate(call, component.validationBody());
  if (deps.signal.aborted) return { ...found, result: "UNKNOWN", why: outOfTime };
  if (verdict.type !== "validated") return { ...found, result: "UNKNOWN", why: verdict.message };
  found.checkedBy.push("VALIDATION");
  if (!verdict.valid) {
    found.result = "DRIFTED";
    found.why = "The adapter does not find valid any more what is deployed.";
    found.problems = verdict.problems.slice(0, maxProblems);
  }
  return compareLiveState(deps, { component, call, found });
}

const maxProblems = 50;
const outOfTime = "The time of the check ran out.";

interface LiveStateCheck {
  component: DeployedComponent;
  call: AdapterCall;
  found: ComponentDrift;
}

/** By reverse provisioning, where the component names its template and the adapter has it. */
async function compareLiveState(
  deps: CheckDeps,
  { component, call, found }: LiveStateCheck,
): Promise<ComponentDrift> {
  const useCaseTemplateId = component.descriptor["useCaseTemplateId"];
  if (typeof useCaseTemplateId !== "string" || useCaseTemplateId === "") return found;
  const { environment } = deps;
  const catalogInfo = { spec: { mesh: component.descriptor } };
  const body = reverseProvisioningBody({ useCaseTemplateId, environment, catalogInfo });
  const answer = await deps.adapters.start(call, "reverse-provisioning", body);
  if (answer.type === "unsupported") return found;
  const done = await followed(deps, call, answer);
  // A drift that the validation found stays, whatever the live state is.
  const unknown = (why: string): ComponentDrift =>
    found.result === "DRIFTED" ? found : { ...found, result: "UNKNOWN", why };
  if (typeof done === "string") return unknown(done);
  if (done.status !== "COMPLETED")
    return unknown(
      `The live state could not be read: ${done.result ?? `the adapter answered ${done.status}.`}`,
    );
  const updates = done.updates ?? {};
  if (typeof updates !== "object" || Array.isArray(updates))
    return unknown("The adapter answered the live state in a form that can't be compared.");
  found.checkedBy.push("REVERSE_PROVISIONING");
  found.pointers = driftPointers(updates as Record<string, unknown>, component.descriptor);
  if (found.pointers.length > 0)
    return { ...found, result: "DRIFTED", why: `The live state differs in ${placesOf(found.pointers)}.` };
  if (found.result === "DRIFTED") return found;
  return { ...found, why: "The adapter finds it valid, and its live state is what was deployed." };
}

const placesOf = ([first, ...more]: string[]): string =>
  more.length === 0 ? (first ?? "") : `${first ?? ""} and ${more.length} more places`;

/** Polls until the reverse provisioning has ended; a string is the reason why it has not. */
async function followed(deps: CheckDeps, call: AdapterCall, started: StartAnswer): Promise<Done | string> {
  if (started.type === "done") return started;
  if (deps.signal.aborted) return outOfTime;
  if (started.type !== "accepted")
    return "message" in started ? started.message : "The adapter is at work but gave no token to poll.";
  for (;;) {
    await pause(deps);
    if (deps.signal.aborted) return outOfTime;
    const answer: PollAnswer = await deps.adapters.poll(call, started.token, "reverse-provisioning");
    if (answer.type === "done") return answer;
    if (deps.signal.aborted) return outOfTime;
    const goesOn = !("message" in answer) || (answer.type === "fault" && answer.retryable);
    if (!goesOn) return answer.message;
  }
}

function pause({ pollMs, signal }: CheckDeps): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, pollMs);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
