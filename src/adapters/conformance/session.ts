/** The state that the checks of one run share: the component under test, the calls, and what is deployed. */
import type { JsonObject } from "../kit/protocol.ts";
import { createBodies, endedStatus, infoParts, type InfoParts } from "./bodies.ts";
import type { Deviation } from "./deviation.ts";
import type { Call, Caller, Exchange } from "./exchange.ts";
import { createFollower, keyHeader, notCompleted, statusPath } from "./operation.ts";
import type { Ended, Operation } from "./operation.ts";
import { finalStatuses, readStatus, type StatusReport } from "./shapes.ts";

export interface Subject {
  /** The unit's descriptor, parsed. */
  unit: JsonObject;
  componentId: string;
  /** Components that are provisioned before it and removed after it. */
  needs: string[];
  /** References for the access checks. */
  refs: string[];
  /** They are generated, so the adapter may not know them. */
  areRefsMadeUp?: boolean;
  /** A descriptor of the unit that the adapter must refuse, when its author has one. */
  invalidUnit: JsonObject | undefined;
  /** Parameters of the reverse provisioning. */
  reverseParams: JsonObject;
}

export interface SessionOptions {
  subject: Subject;
  caller: Caller;
  /** Fresh ids for idempotency keys and unknown tokens. */
  newId: () => string;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
  /** How long an operation may take until its end. */
  waitMs: number;
  pollMs: number;
  signal: AbortSignal;
  /** The info that the adapter returned for the needed components, by id. */
  infos: Map<string, InfoParts>;
}

export interface Session {
  subject: Subject;
  newId: () => string;
  /** True once a provision may have had an effect that nothing has undone. */
  isDeployed: () => boolean;
  call(call: Call): Promise<Exchange>;
  post(path: string, body: unknown, key?: string): Promise<Exchange>;
  /** Starts an operation and follows it to its end. */
  operate(operation: Operation, body: JsonObject, key?: string): Promise<Ended>;
  follow(operation: Operation, first: Exchange): Promise<Ended>;
  /**
   * Polls a status until it is final, a response is not a status, or the time limit; returns the last response.
   */
  poll(path: string): Promise<Exchange>;
  /** Provisions the component unless it is there; the deviations when that does not work. */
  ensureDeployed(): Promise<Deviation[]>;
  provision(key?: string): Promise<Ended>;
  unprovision(removeData: boolean, componentId?: string): Promise<Ended>;
  body(componentId?: string, removeData?: boolean): JsonObject;
  descriptorText(componentId?: string, unit?: JsonObject): string;
  /** The status that the last provisioning ended with, as the coordinator gives it to a change of access. */
  provisionResult(): string;
  /**
   * Waits until the adapter is free again after a call or an operation of the last check exceeded its limit.
   */
  recover(): Promise<void>;
  /** Every call so far. */
  exchanges(): readonly Exchange[];
  /** Components that may still be deployed, in the order in which to remove them. */
  leftovers(): string[];
  /** The component has been removed by other means. */
  forget(componentId: string): void;
}

export function createSession(options: SessionOptions): Session {
  const { subject, caller, newId, sleep, now, signal, infos } = options;
  const exchanges: Exchange[] = [];
  const deployed = new Set<string>();
  /** Status paths of operations that had not ended in time. */
  const unended = new Set<string>();
  let result: StatusReport | undefined;
  let recovered = 0;
  /** How long the whole run may wait for a slow adapter. */
  let waitLimitMs = options.waitMs;

  const call = async (wanted: Call): Promise<Exchange> => {
    signal.throwIfAborted();
    const exchange = await caller(wanted, signal);
    signal.throwIfAborted();
    exchanges.push(exchange);
    return exchange;
  };
  const post = (path: string, body: unknown, key = `conformance:${newId()}`): Promise<Exchange> =>
    call({ method: "POST", path, body: JSON.stringify(body), headers: keyHeader(key) });

  const { body, descriptorText } = createBodies(subject, infos);
  const { follow, poll } = createFollower({ ...options, call, onUnended: (path) => unended.add(path) });
  const operate: Session["operate"] = async (operation, wanted, key) =>
    follow(operation, await post(`/v1/${operation}`, wanted, key));

  const provisionOne = async (componentId: string, key?: string): Promise<Ended> => {
    // Before the call, because a call whose response is lost may have had its effect.
    deployed.add(componentId);
    const ended = await operate("provision", body(componentId), key);
    if (ended.report && componentId === subject.componentId) result = ended.report;
    else if (ended.report?.status === "COMPLETED") infos.set(componentId, infoParts(ended.report.info));
    return ended;
  };

  const recover = async (): Promise<void> => {
    const timedOut = exchanges.slice(recovered).some((exchange) => exchange.timedOut);
    recovered = exchanges.length;
    const paths = [...unended, ...(timedOut ? [statusPath("provision", newId())] : [])];
    unended.clear();
    // These calls are not checks: they only show that the adapter responds again.
    const since = now();
    for (const path of paths) {
      while (now() - since < waitLimitMs && (await isUnended(path, options))) await sleep(options.pollMs);
    }
    waitLimitMs -= now() - since;
  };
  const unprovision: Session["unprovision"] = async (removeData, componentId = subject.componentId) => {
    const ended = await operate("unprovision", body(componentId, removeData));
    if (ended.report?.status === "COMPLETED") deployed.delete(componentId);
    return ended;
  };

  return {
    subject,
    newId,
    isDeployed: () => deployed.has(subject.componentId),
    call,
    post,
    operate,
    follow,
    poll,
    async ensureDeployed() {
      if (deployed.has(subject.componentId) && result?.status === "COMPLETED") return [];
      for (const id of [...subject.needs.filter((need) => !deployed.has(need)), subject.componentId]) {
        const ended = await provisionOne(id);
        const deviations = notCompleted(ended, `The provisioning of ${id}`);
        if (deviations.length > 0) return deviations;
      }
      return [];
    },
    async provision(key) {
      for (const need of subject.needs.filter((each) => !deployed.has(each))) await provisionOne(need);
      return provisionOne(subject.componentId, key);
    },
    unprovision,
    body,
    descriptorText,
    provisionResult: () => endedStatus(result),
    recover,
    exchanges: () => exchanges,
    leftovers: () => [subject.componentId, ...subject.needs.toReversed()].filter((id) => deployed.has(id)),
    forget: (id) => void deployed.delete(id),
  };
}

async function isUnended(path: string, { caller, signal }: SessionOptions): Promise<boolean> {
  const exchange = await caller({ method: "GET", path }, signal);
  const report = exchange.answer?.status === 200 ? readStatus(exchange).value : undefined;
  return exchange.timedOut === true || (report !== undefined && !finalStatuses.includes(report.status));
}
