/** The state that the checks of one run share: the component under test, the calls, and what is deployed. */
import type { JsonObject } from "../kit/protocol.ts";
import { adviceOnFailure, adviceOnRefusal } from "./advice.ts";
import { endedStatus, infoParts, withInfos, type InfoParts } from "./bodies.ts";
import type { Deviation } from "./deviation.ts";
import type { Call, Caller, Exchange } from "./exchange.ts";
import { isNotOffered } from "./offered.ts";
import { finalStatuses, labelOf, readFault, readStatus, readToken } from "./shapes.ts";
import type { StatusReport } from "./shapes.ts";

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

export type Operation = "provision" | "unprovision" | "updateacl" | "reverse-provisioning";

/** The course of one operation, from its start to its end. */
export interface Ended {
  /** The answer to the start. */
  first: Exchange;
  /** The last answer of all. */
  last: Exchange;
  token?: string;
  /** Absent when no usable end was seen. */
  report?: StatusReport;
  /** The response to the start says that the adapter does not support the operation. */
  unsupported: boolean;
  deviations: Deviation[];
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
   * Polls a status until it is final, a response is no status, or the time limit; returns the last response.
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

const longestPollMs = 5_000;
/** Like the coordinator, a check tolerates transient faults of polls, but fewer. */
const pollFaults = 3;

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

  const descriptorText = (componentId = subject.componentId, unit = subject.unit): string =>
    // JSON is YAML too, so this is what the protocol asks for.
    JSON.stringify(
      { dataProduct: withInfos(unit, asInfos(infos)), componentIdToProvision: componentId },
      null,
      1,
    );
  const body = (componentId = subject.componentId, removeData = false): JsonObject => ({
    descriptorKind: "COMPONENT_DESCRIPTOR",
    descriptor: descriptorText(componentId),
    ...(infos.size === 0 ? {} : { latestEnrichedDescriptor: JSON.stringify(enriched(subject.unit, infos)) }),
    removeData,
  });

  const follow = async (operation: Operation, first: Exchange): Promise<Ended> => {
    const ended: Ended = { first, last: first, unsupported: false, deviations: readFault(first) };
    if (!first.answer) return ended;
    const { status } = first.answer;
    ended.unsupported = isNotOffered(first);
    if (status === 202) {
      const { value, deviations } = readToken(first);
      ended.deviations.push(...deviations);
      if (value !== undefined) {
        ended.token = value;
        await pollToEnd(operation, value, ended);
      }
    } else if (status === 200) takeReport(ended, first, operation);
    else if (!ended.unsupported) ended.deviations.push(refused(first));
    return ended;
  };

  const pollToEnd = async (operation: Operation, token: string, ended: Ended): Promise<void> => {
    const giveUpAt = now() + options.waitMs;
    let faults = 0;
    for (let delay = options.pollMs; now() < giveUpAt; delay = Math.min(delay * 1.5, longestPollMs)) {
      await sleep(delay);
      const exchange = await call({ method: "GET", path: statusPath(operation, token) });
      ended.last = exchange;
      if (exchange.answer?.status === 200) {
        takeReport(ended, exchange, operation);
        if (!ended.report || finalStatuses.includes(ended.report.status)) return;
        continue;
      }
      ended.deviations.push(...(exchange.answer ? [badPoll(exchange)] : readFault(exchange)));
      faults += 1;
      if (faults >= pollFaults || (exchange.answer && exchange.answer.status < 500)) {
        delete ended.report;
        return;
      }
    }
    delete ended.report;
    unended.add(statusPath(operation, token));
    ended.deviations.push({
      severity: "fail",
      what: `The operation did not end within ${options.waitMs / 1000} s.`,
      protocol: "Every operation ends with COMPLETED, FAILED or TERMINATED.",
      fix: "End it in every case, also when the work behind it fails; --wait gives slow work more time.",
      exchange: ended.last,
    });
  };

  const poll = async (path: string): Promise<Exchange> => {
    const giveUpAt = now() + options.waitMs;
    for (let delay = options.pollMs; ; delay = Math.min(delay * 1.5, longestPollMs)) {
      await sleep(delay);
      const exchange = await call({ method: "GET", path });
      const report = exchange.answer?.status === 200 ? readStatus(exchange).value : undefined;
      if (!report || finalStatuses.includes(report.status) || now() > giveUpAt) return exchange;
    }
  };
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

  const isUnended = async (path: string): Promise<boolean> => {
    const exchange = await caller({ method: "GET", path }, signal);
    const report = exchange.answer?.status === 200 ? readStatus(exchange).value : undefined;
    return exchange.timedOut === true || (report !== undefined && !finalStatuses.includes(report.status));
  };
  const recover = async (): Promise<void> => {
    const timedOut = exchanges.slice(recovered).some((exchange) => exchange.timedOut);
    recovered = exchanges.length;
    const paths = [...unended, ...(timedOut ? [statusPath("provision", newId())] : [])];
    unended.clear();
    // These calls are no checks: they only show that the adapter responds again.
    const since = now();
    for (const path of paths) {
      while (now() - since < waitLimitMs && (await isUnended(path))) await sleep(options.pollMs);
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

const asInfos = (infos: ReadonlyMap<string, InfoParts>): ReadonlyMap<string, JsonObject> =>
  new Map([...infos].map(([id, info]) => [id, { ...info }]));

/**
 * Enriches the unit as the coordinator does, except for the component under test, so that its calls stay the
 * same.
 */
const enriched = (unit: JsonObject, infos: ReadonlyMap<string, InfoParts>): JsonObject => {
  const latestProvisioningOperation = { operation: "Deploy", status: "Successful" };
  return withInfos(
    unit,
    new Map([...infos].map(([id, info]) => [id, { ...info, latestProvisioningOperation }])),
  );
};

export const keyHeader = (key: string): Record<string, string> => ({ "idempotency-key": key });

export const statusPath = (operation: Operation, token: string): string => {
  const base = operation === "reverse-provisioning" ? "/v1/reverse-provisioning" : "/v1/provision";
  return `${base}/${encodeURIComponent(token)}/status`;
};

function takeReport(ended: Ended, exchange: Exchange, operation: Operation): void {
  const { value, deviations } = readStatus(exchange, operation === "reverse-provisioning");
  const known = new Set(ended.deviations.map(({ what }) => what));
  // The same deviation in every poll is one finding.
  ended.deviations.push(...deviations.filter(({ what }) => !known.has(what)));
  if (value) ended.report = value;
  else delete ended.report;
  if (!value || finalStatuses.includes(value.status) || ended.token !== undefined) return;
  delete ended.report;
  ended.deviations.push({
    severity: "fail",
    what: `${labelOf(exchange)}: 200 with ${value.status}, which nobody can poll.`,
    protocol: "200 carries the end of the work; what goes on is answered with 202 and a token.",
    fix: "Answer 202 with a token, and give the status at /v1/provision/{token}/status.",
    exchange,
  });
}

const refused = (exchange: Exchange): Deviation => ({
  severity: "fail",
  what: `${labelOf(exchange)} answered ${exchange.answer?.status ?? 0}.`,
  protocol: "A request that is right is answered 200 with the end of the work, or 202 with a token.",
  fix: adviceOnRefusal(exchange),
  exchange,
});

const badPoll = (exchange: Exchange): Deviation => ({
  severity: "fail",
  what: `A poll of the operation answered ${exchange.answer?.status ?? 0}.`,
  protocol: "A token that was given stays known: its status is answered 200 until well after the end.",
  fix: "Keep operations by token, the finished ones for a while too.",
  exchange,
});

/** The deviations of an operation that should have completed, including that it did not. */
export function notCompleted(ended: Ended, subject: string): Deviation[] {
  const failed = ended.deviations.filter(({ severity }) => severity === "fail");
  if (ended.unsupported) return [...failed, refused(ended.first)];
  if (!ended.report || ended.report.status === "COMPLETED") return failed;
  return [...failed, incomplete(ended, subject)];
}

const incomplete = (ended: Ended, subject: string): Deviation => ({
  severity: "fail",
  what: `${subject} ended ${ended.report?.status ?? "without a status"}: ${ended.report?.result || "no result says why"}.`,
  protocol: "Work that is done ends COMPLETED. Doing again what is done already is no failure.",
  fix: adviceOnFailure(ended.first),
  exchange: ended.last,
});

/** As `notCompleted`, with the warnings. */
export function completed(ended: Ended, subject: string): Deviation[] {
  const warnings = ended.deviations.filter(({ severity }) => severity === "warn");
  return [...notCompleted(ended, subject), ...warnings];
}
