/** Callers of all processes who note every answer that they should not have had. */
import { setTimeout as sleep } from "node:timers/promises";
import { environment, mockId } from "../faults/registration.ts";

/** A bearer token with the times at which it is good; in between both answers are right. In ms of the epoch. */
export interface Credential {
  name: string;
  token: string;
  /** A request that begins later has to be let in. */
  goodFrom: number;
  /** One that was answered before has to be let in. */
  goodUntil: number;
  /** A request that begins later has to be refused. */
  badFrom: number;
}

export const lasting = (name: string, token: string): Credential => ({
  name,
  token,
  goodFrom: 0,
  goodUntil: Infinity,
  badFrom: Infinity,
});

export interface Findings {
  /** How often each answer was had. */
  answers: Map<string, number>;
  /** Each with the number of times. */
  violations: Map<string, number>;
}

export interface Request {
  name: string;
  path: string;
  method?: string;
  body?: object;
  headers?: Record<string, string>;
  wanted: number;
}

export const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

const waitLimitMs = 20_000;

/** The text of the wanted answer; null for any other, which is a violation unless the token explains it. */
export async function ask(
  url: string,
  credential: Credential,
  { request, findings }: { request: Request; findings: Findings },
): Promise<string | null> {
  const { name, path, method = "GET", body, headers, wanted } = request;
  const { answers, violations } = findings;
  const from = Date.now();
  const violate = (what: string): void => count(violations, `${name} as ${credential.name} ${what}`);
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(waitLimitMs),
      headers: {
        authorization: `Bearer ${credential.token}`,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status } = answer;
    count(answers, `${name} ${status}`);
    if (status === 401) {
      const isEarly = from >= credential.goodFrom && Date.now() < credential.goodUntil;
      if (isEarly) violate(`was refused while the token was good: ${text.slice(0, 200)}`);
      return null;
    }
    if (from > credential.badFrom) violate(`was let in ${from - credential.badFrom} ms too late`);
    if (status === wanted) return text;
    violate(`was answered ${status}: ${text.slice(0, 200)}`);
  } catch (error) {
    const { cause, message } = error as Error;
    count(answers, `${name} lost`);
    violate(`was lost: ${message} ${cause instanceof Error ? cause.message : ""}`);
  }
  return null;
}

export interface Caller {
  /** Ends when what it does at the moment is done. */
  stop(): Promise<void>;
}

const repeat = (work: () => Promise<void>): Caller => {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) await work();
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
};

const read: Request = { name: "read", path: "/api/coordinator/v1/tech-adapters?limit=5", wanted: 200 };

/** Reads at every process, again and again. */
export function startReader(urls: readonly string[], credential: Credential, findings: Findings): Caller {
  const readers = urls.map((url) =>
    repeat(async () => {
      await ask(url, credential, { request: read, findings });
      await sleep(15);
    }),
  );
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

/** Stores a secret and reads it back, which opens it, each time at another process. */
export function startKeeper(
  urls: readonly string[],
  { credential, findings, secret }: { credential: Credential; findings: Findings; secret: string },
): Caller {
  const path = "/api/assistant/v2/llm/config";
  const body = {
    provider: "vllm",
    endpoint: "http://127.0.0.1:9/v1",
    api_key: secret,
    deployment: "d",
    model: "m",
  };
  let round = 0;
  return repeat(async () => {
    const [first = "", second = ""] = round++ % 2 === 0 ? urls : urls.toReversed();
    await ask(first, credential, {
      request: { name: "store", method: "POST", path, body, wanted: 200 },
      findings,
    });
    await ask(second, credential, { request: { name: "open", path, wanted: 200 }, findings });
    await sleep(100);
  });
}

const componentsOfUnit = 4;
const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);
/** A plan takes a second. */
const longestPlanMs = 60_000;

/** Deploys a unit in new versions and follows each plan to its end; all of them have to be completed. */
export function startUnit(
  urls: readonly string[],
  { unitId, credential, findings }: { unitId: string; credential: Credential; findings: Findings },
): Caller & { completed: () => number } {
  let version = 0;
  let completed = 0;
  const any = (): string => urls[Math.floor(Math.random() * urls.length)] ?? "";
  const caller = repeat(async () => {
    version += 1;
    const request = startOf(unitId, version);
    const answer = await ask(any(), credential, { request, findings });
    if (answer === null) return sleep(500);
    const path = `/api/coordinator/v1/execution-plans/${JSON.parse(answer) as string}/status`;
    const from = performance.now();
    for (;;) {
      const text = await ask(any(), credential, { request: { name: "status", path, wanted: 200 }, findings });
      const status = text === null ? "" : (JSON.parse(text) as { dag: { status: string } }).dag.status;
      if (status === "COMPLETED") completed += 1;
      else if (ends.has(status))
        count(findings.violations, `a plan of ${unitId} ended ${status}: ${text?.slice(0, 1_000)}`);
      if (ends.has(status)) return;
      if (performance.now() - from > longestPlanMs)
        return count(findings.violations, `a plan of ${unitId} was open after ${longestPlanMs} ms`);
      await sleep(100);
    }
  });
  return { ...caller, completed: () => completed };
}

function startOf(unitId: string, version: number): Request {
  const components = Array.from({ length: componentsOfUnit }, (_, place) => ({
    id: `${unitId}-${place}`,
    name: `Part ${place}`,
    kind: "storage",
    infrastructureTemplateId: mockId,
    dependsOn: place === 0 ? [] : [`${unitId}-0`],
    specific: { version, mock: place % 2 === 0 ? { delayMs: 100 } : { mode: "async", runningMs: 300 } },
  }));
  return {
    name: "start",
    method: "POST",
    path: `/api/coordinator/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    headers: { "idempotency-key": `"${unitId}-${version}"` },
    body: {
      descriptor: { id: unitId, name: unitId, version: `1.${version}`, environment, components },
      targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
    },
    wanted: 202,
  };
}
