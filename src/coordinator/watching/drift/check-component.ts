/** Asks an adapter whether one component still is as it was deployed. Changes nothing. */
import type {
  Done,
  Fault,
  InProgress,
  Refused,
  StartAnswer,
  StartValidationAnswer,
  TokenUnknown,
  Validated,
} from "../../adapters/protocol/answers.ts";
import { askForVerdict, type AdapterCall, type AdapterClient } from "../../adapters/protocol/client.ts";
import { reverseProvisioningBody } from "../../adapters/protocol/request-bodies.ts";
import { driftPointers } from "./compare.ts";
import type { ComponentDrift } from "./schema.ts";

export interface DeployedComponent {
  id: string;
  descriptor: Record<string, unknown>;
  /** Address of its adapter in the environment; null when there is none. */
  url: string | null;
  templateId: string | null;
  /** Whether its adapter validates by POST /v2/validate. */
  isAsyncValidation: boolean;
  validationBody: () => Buffer[];
}

export interface CheckDeps {
  adapters: AdapterClient;
  environment: string;
  checkId: string;
  traceparent: string;
  /** Longest call of that adapter. */
  callTimeoutMs: (adapterId: string | null) => number;
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
  const verdict = await validated(deps, component, callOf(deps, { component, url, operation: "validate" }));
  if (deps.signal.aborted) return { ...found, result: "UNKNOWN", why: outOfTime };
  if (typeof verdict === "string") return { ...found, result: "UNKNOWN", why: verdict };
  found.checkedBy.push("VALIDATION");
  if (!verdict.valid) {
    found.result = "DRIFTED";
    found.why = "The adapter does not find valid any more what is deployed.";
    found.problems = verdict.problems.slice(0, maxProblems);
  }
  return compareLiveState(deps, { component, url, found });
}

interface CallOf {
  component: DeployedComponent;
  url: string;
  /** A part of the key: under one key a gateway may answer to both what it has answered to the first. */
  operation: "validate" | "reverse-provisioning";
}

const callOf = (deps: CheckDeps, { component, url, operation }: CallOf): AdapterCall => ({
  url,
  adapterId: component.templateId,
  idempotencyKey: `drift:${deps.checkId}:${component.id}:${operation}`,
  traceparent: deps.traceparent,
  timeoutMs: deps.callTimeoutMs(component.templateId),
  signal: deps.signal,
});

/** The verdict of the adapter, asked as in a plan; a string is the reason why there is none. */
async function validated(
  deps: CheckDeps,
  component: DeployedComponent,
  call: AdapterCall,
): Promise<Validated | string> {
  const question = { body: component.validationBody(), isAsync: component.isAsyncValidation };
  const answer = await askForVerdict(deps.adapters, call, question);
  return followed<Validated>(deps, answer, (token) => deps.adapters.pollValidation(call, token));
}

const maxProblems = 50;
const outOfTime = "The time of the check ran out.";

interface LiveStateCheck {
  component: DeployedComponent;
  url: string;
  found: ComponentDrift;
}

/** By reverse provisioning, where the component names its template and the adapter has it. */
async function compareLiveState(
  deps: CheckDeps,
  { component, url, found }: LiveStateCheck,
): Promise<ComponentDrift> {
  const useCaseTemplateId = component.descriptor["useCaseTemplateId"];
  if (typeof useCaseTemplateId !== "string" || useCaseTemplateId === "") return found;
  const { environment } = deps;
  const catalogInfo = { spec: { mesh: component.descriptor } };
  const body = reverseProvisioningBody({ useCaseTemplateId, environment, catalogInfo });
  const operation = "reverse-provisioning";
  const call = callOf(deps, { component, url, operation });
  const answer = await deps.adapters.start(call, operation, body);
  if (answer.type === "unsupported") return found;
  if (isServerError(answer)) return { ...found, why: unreadText(found, answer) };
  const done = await followed<Done>(deps, answer, (token) => deps.adapters.poll(call, token, operation));
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

/**
 * Many adapters without reverse provisioning answer it with 500, which is not told apart from a failure: the verdict of the
 * validation is what is known then.
 */
const isServerError = (answer: StartAnswer): answer is Fault =>
  answer.type === "fault" && answer.reason === "server_error";

function unreadText({ result, why }: ComponentDrift, { message }: Fault): string {
  const verdict = result === "DRIFTED" ? why : "The adapter finds it valid.";
  return `${verdict} Its live state could not be read: ${message}`;
}

const placesOf = ([first, ...more]: string[]): string =>
  more.length === 0 ? (first ?? "") : `${first ?? ""} and ${more.length} more places`;

type PollOf<Ended> = (token: string) => Promise<Ended | InProgress | Refused | TokenUnknown | Fault>;

/** Polls until the work has ended; a string is the reason why it has not. */
async function followed<Ended extends Done | Validated>(
  deps: CheckDeps,
  started: Ended | Exclude<StartAnswer | StartValidationAnswer, Done | Validated>,
  poll: PollOf<Ended>,
): Promise<Ended | string> {
  if (hasEnded(started)) return started;
  if (deps.signal.aborted) return outOfTime;
  if (started.type !== "accepted")
    return "message" in started ? started.message : "The adapter is at work but gave no token to poll.";
  for (;;) {
    await pause(deps);
    if (deps.signal.aborted) return outOfTime;
    const answer = await poll(started.token);
    if (hasEnded(answer)) return answer;
    if (deps.signal.aborted) return outOfTime;
    const goesOn = !("message" in answer) || (answer.type === "fault" && answer.retryable);
    if (!goesOn) return answer.message;
  }
}

const hasEnded = <Ended extends Done | Validated>(answer: Ended | { type: string }): answer is Ended =>
  answer.type === "done" || answer.type === "validated";

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
