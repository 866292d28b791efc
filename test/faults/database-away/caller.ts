/** A caller as the interface wants one: repeats what was answered 503 after Retry-After, under the same key. */
import type { RequestedBehaviour } from "../../../src/adapters/mock/behaviour.ts";
import { between, type Random } from "../../crash/random.ts";
import { environment, mockId } from "../registration.ts";

/** How often each answer was had, by operation and status. */
export type Answers = Record<string, number>;

export interface Seen {
  answers: Answers;
  violations: string[];
}

export interface Caller {
  /** Starts the unit and follows the plan to its end; the token, or null when it did not come to that. */
  operate(unitId: string, random: Random): Promise<string | null>;
}

export const componentsOfUnit = 5;

/** What a caller waits for an answer; the database is never away for so long. */
const waitLimitMs = 10_000;
/** What a caller waits for the end of an operation. */
const longestOperationMs = 60_000;

export function createCaller(base: string, seen: Seen): Caller {
  const note = (name: string, status: number): void => {
    const key = `${name} ${status}`;
    seen.answers[key] = (seen.answers[key] ?? 0) + 1;
  };

  /** Sends until the answer is no 503; anything but a 503 or an expected status is a violation. */
  const insist = async (name: string, path: string, init: RequestInit & { expected: number[] }) => {
    for (;;) {
      const answer = await fetch(base + path, { ...init, signal: AbortSignal.timeout(waitLimitMs) }).catch(
        (error: unknown) => {
          seen.violations.push(`${name} ${path} had no answer: ${describe(error)}`);
          return null;
        },
      );
      if (!answer) return null;
      const text = await answer.text();
      note(name, answer.status);
      if (answer.status !== 503) {
        if (!init.expected.includes(answer.status))
          seen.violations.push(`${name} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
        return { status: answer.status, text };
      }
      const wait = Number(answer.headers.get("retry-after"));
      if (!(wait > 0)) seen.violations.push(`${name} ${path}: a 503 without Retry-After`);
      await sleep(Math.max(wait, 0.1) * 1_000);
    }
  };

  const start = async (unitId: string, random: Random): Promise<string | null> => {
    const path = `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`;
    const answer = await insist("start", path, {
      method: "POST",
      body: JSON.stringify(smallUnit(unitId, random)),
      headers: { "content-type": "application/json", "idempotency-key": `"start-${unitId}"` },
      expected: [202],
    });
    return answer?.status === 202 ? (JSON.parse(answer.text) as string) : null;
  };

  return {
    async operate(unitId, random) {
      const token = await start(unitId, random);
      const until = performance.now() + longestOperationMs;
      while (token !== null && performance.now() < until) {
        const answer = await insist("status", `/v1/execution-plans/${token}/status`, { expected: [200] });
        if (answer?.status !== 200) return token;
        const { dag } = JSON.parse(answer.text) as { dag: { status: string } };
        if (ends.has(dag.status)) return token;
        await insist("catalogue", "/v1/tech-adapters?limit=5", { expected: [200] });
        await sleep(100);
      }
      if (token !== null) seen.violations.push(`${unitId} was open after ${longestOperationMs} ms`);
      return token;
    },
  };
}

const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

/** A chain and a few beside it; half of the components are done asynchronously. */
function smallUnit(unitId: string, random: Random): object {
  const components = Array.from({ length: componentsOfUnit }, (_, place) => ({
    id: `${unitId}-${place}`,
    name: `Part ${place}`,
    kind: "storage",
    infrastructureTemplateId: mockId,
    dependsOn: place === 1 || place === 2 ? [`${unitId}-${place - 1}`] : [],
    specific: { mock: randomWish(random) },
  }));
  return {
    descriptor: { id: unitId, name: unitId, version: "1.0", environment, components },
    targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
}

const randomWish = (random: Random): RequestedBehaviour =>
  random() < 0.5
    ? { delayMs: Math.floor(between(random, 0, 600)) }
    : { mode: "async", runningMs: Math.floor(between(random, 100, 1_200)) };

const describe = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
};

const sleep = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));
