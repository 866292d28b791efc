/** Plans as a caller sees them: started and followed over HTTP, whichever API process answers. */
import { recordsOf } from "../sse.ts";

const environment = "development";
const technology = "urn:example:itm:mock:1";

export const componentsOfPlan = 5;

export interface Plan {
  unitId: string;
  token: string;
  /** Its last known status. */
  status: string;
}

export async function registerAdapter(api: string, url: string, id = technology): Promise<void> {
  await send(`${api}/v1/tech-adapters`, "POST", { id, version: "1", name: "Mock" });
  await send(`${api}/v1/tech-adapters/${id}/deployments/${environment}`, "PUT", { url });
}

export async function startPlan(api: string, unitId: string, adapterId = technology): Promise<Plan> {
  const components = Array.from({ length: componentsOfPlan }, (_, n) => ({
    id: `${unitId}:part-${n}`,
    name: `Part ${n}`,
    kind: "storage",
    infrastructureTemplateId: adapterId,
    // Two chains that meet in the last component.
    dependsOn: [[], [], [0], [1], [2, 3]][n]?.map((other) => `${unitId}:part-${other}`),
    specific: { mock: n % 2 === 0 ? { mode: "async", runningMs: 300 } : { delayMs: 200 } },
  }));
  const token = await send(
    `${api}/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    "POST",
    {
      descriptor: { id: unitId, name: unitId, version: "1.0", environment, components },
      targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
    },
  );
  return { unitId, token: token as string, status: "WAITING" };
}

const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

export const isOver = ({ status }: Plan): boolean => ends.has(status);

/**
 * Reads the live stream of a plan to its end and keeps its status up to date; a broken stream is resumed.
 * Ends with the signal.
 */
export async function followPlan(api: string, plan: Plan, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  while (!isOver(plan) && !signal.aborted) {
    try {
      const answer = await fetch(`${api}/v1/execution-plans/${plan.token}/events`, {
        signal,
        headers: lastId === undefined ? {} : { "last-event-id": lastId },
      });
      if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
      for await (const record of recordsOf(answer.body)) {
        lastId = /^id: (.+)$/m.exec(record)?.[1] ?? lastId;
        const status = /^event: plan$/m.test(record) && /"status":\s*"(\w+)"/.exec(record)?.[1];
        if (status) plan.status = status;
      }
    } catch {
      await new Promise((next) => setTimeout(next, 500));
    }
  }
}

interface UnitStatus {
  provisioningDetails: { componentsStatus: { status: string }[] };
}

export async function readDeployed(api: string, { unitId }: Plan): Promise<number> {
  const answer = await get(
    `${api}/v1/deployment-units/${unitId}/provisioning-status?environment=${environment}`,
  );
  const { componentsStatus } = (answer as UnitStatus).provisioningDetails;
  return componentsStatus.filter(({ status }) => status === "DEPLOYED").length;
}

/** When the plan was taken over from a worker that was lost, in ms since the epoch. */
export async function readTakeovers(api: string, { token }: Plan): Promise<number[]> {
  const lines = await get(`${api}/v1/logs/${token}?level=WARNING`);
  return (lines as { timestamp: string; phase: string }[])
    .filter(({ phase }) => phase === "RECOVERY")
    .map(({ timestamp }) => Date.parse(timestamp));
}

/** One call in the adapter's own journal. */
export interface Call {
  operation: string;
  componentId: string | null;
  idempotencyKey: string | null;
  bodyHash: string | null;
  acted: boolean;
}

export async function readCalls(adapter: string): Promise<Call[]> {
  return (await get(`${adapter}/_mock/journal?operation=provision`)) as Call[];
}

const get = (url: string): Promise<unknown> => send(url, "GET");

/** Retries after the time in `Retry-After`: an overloaded server refuses some requests. */
async function send(url: string, method: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  const pause = answer.status === 503 ? Number(answer.headers.get("retry-after")) : 0;
  if (pause > 0) {
    await answer.body?.cancel();
    await new Promise((next) => setTimeout(next, pause * 1_000));
    return send(url, method, body);
  }
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`);
  const text = await answer.text();
  return text === "" ? null : JSON.parse(text);
}
