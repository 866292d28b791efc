/** Whether one deployed component still is as it was deployed, by all that its adapter can tell. Changes nothing. */
import type { Done, PollAnswer, StartAnswer } from "../adapter-protocol/answers.ts";
import type { AdapterCall, AdapterClient } from "../adapter-protocol/client.ts";
import { reverseProvisioningBody } from "../adapter-protocol/request-bodies.ts";
import { driftPointers } from "./compare.ts";
import type { ComponentDrift } from "./schema.ts";

export interface DeployedComponent {
  id: string;
  descriptor: Record<string, unknown>;
  /** Of its adapter in the environment, or null when there is none. */
  url: string | null;
  templateId: string | null;
  validationBody: () => Buffer[];
}

export interface CheckMeans {
  adapters: AdapterClient;
  environment: string;
  checkId: string;
  traceparent: string;
  callTimeoutMs: number;
  pollMs: number;
  /** Aborted when the time of the whole check is up. */
  signal: AbortSignal;
}

export async function checkComponent(
  means: CheckMeans,
  component: DeployedComponent,
): Promise<ComponentDrift> {
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
    const why = `No adapter is enabled for ${component.templateId ?? "it"} in ${means.environment}.`;
    return { ...found, result: "UNKNOWN", why };
  }
  const call: AdapterCall = {
    url,
    idempotencyKey: `drift:${means.checkId}:${component.id}`,
    traceparent: means.traceparent,
    timeoutMs: means.callTimeoutMs,
    signal: means.signal,
  };
  const verdict = await means.adapters.validate(call, component.validationBody());
  if (means.signal.aborted) return { ...found, result: "UNKNOWN", why: outOfTime };
  if (verdict.type !== "validated") return { ...found, result: "UNKNOWN", why: verdict.message };
  found.checkedBy.push("VALIDATION");
  if (!verdict.valid) {
    found.result = "DRIFTED";
    found.why = "The adapter does not find valid any more what is deployed.";
    found.problems = verdict.problems.slice(0, mostProblems);
  }
  return lookAtLiveState(means, { component, call, found });
}

const mostProblems = 50;
const outOfTime = "The time of the check ran out.";

interface Look {
  component: DeployedComponent;
  call: AdapterCall;
  found: ComponentDrift;
}

/** By reverse provisioning, where the component names its template and the adapter has it. */
async function lookAtLiveState(means: CheckMeans, { component, call, found }: Look): Promise<ComponentDrift> {
  const useCaseTemplateId = component.descriptor["useCaseTemplateId"];
  if (typeof useCaseTemplateId !== "string" || useCaseTemplateId === "") return found;
  const { environment } = means;
  const catalogInfo = { spec: { mesh: component.descriptor } };
  const body = reverseProvisioningBody({ useCaseTemplateId, environment, catalogInfo });
  const answer = await means.adapters.start(call, "reverse-provisioning", body);
  if (answer.type === "unsupported") return found;
  const done = await followed(means, call, answer);
  // What the validation has found stays found, whatever the live state would have told.
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

/** Polls until the reading has ended; a text says why it has not. */
async function followed(means: CheckMeans, call: AdapterCall, started: StartAnswer): Promise<Done | string> {
  if (started.type === "done") return started;
  if (means.signal.aborted) return outOfTime;
  if (started.type !== "accepted")
    return "message" in started ? started.message : "The adapter is at work but gave no token to poll.";
  for (;;) {
    await pause(means);
    if (means.signal.aborted) return outOfTime;
    const answer: PollAnswer = await means.adapters.poll(call, started.token, "reverse-provisioning");
    if (answer.type === "done") return answer;
    if (means.signal.aborted) return outOfTime;
    const goesOn = !("message" in answer) || (answer.type === "fault" && answer.retryable);
    if (!goesOn) return answer.message;
  }
}

function pause({ pollMs, signal }: CheckMeans): Promise<void> {
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
