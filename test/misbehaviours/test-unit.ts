/**
 * One unit of two components on an adapter of its own, provisioned over HTTP by a whole server, and everything that can
 * be said of how it ended: what people are shown, and what the adapter saw.
 */
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { startMockAdapter, type MockAdapter } from "../../src/adapters/mock/server.ts";
import { registerAdapter, until, type Answer, type WholeServer } from "../support/server.ts";

const environment = "development";

export interface Outcome {
  plan: string;
  /** Status of each task, and its result when it has one. */
  tasks: Record<string, string | [status: string, result: string]>;
  components: Record<string, string>;
  /** Calls that may change something, in order: operation, idempotency key, what the adapter made of it. */
  calls: string[];
  polls: number;
  /** Lines of the log from WARNING on. */
  log: string[];
}

export interface TestUnit {
  adapter: MockAdapter;
  unitId: string;
  /** Starts a plan; `a` behaves as requested, and so does `b`, which depends on it. */
  start(requested?: RequestedBehaviour, requestedOfB?: RequestedBehaviour): Promise<string>;
  /** Waits for the end of the plan; returns its outcome. */
  outcome(token: string): Promise<Outcome>;
  run(requested?: RequestedBehaviour, requestedOfB?: RequestedBehaviour): Promise<Outcome>;
  /** Log lines of the adapter itself, as they were stored. */
  adapterLines(token: string): Promise<string[]>;
  get(path: string): Promise<Answer>;
  post(path: string): Promise<Answer>;
  register(url: string): Promise<void>;
  close(): Promise<void>;
}

interface TaskNode {
  id: string;
  status: string;
  result: string;
  dependsOnTasks: TaskNode[];
}

/** @param name makes the ids unique to this unit. */
export async function openTestUnit(plinth: WholeServer, name: string, url?: string): Promise<TestUnit> {
  const adapter = await startMockAdapter();
  const templateId = `urn:test:itm:${name}:1`;
  const unitId = `unit-${name}`;
  const call: WholeServer["coordinator"] = (request) => plinth.coordinator(request);
  const register = (to: string): Promise<void> =>
    registerAdapter(plinth, { id: templateId, environments: [environment], url: to });
  await register(url ?? adapter.url);

  const start: TestUnit["start"] = async (...allRequested) => {
    const component = (id: string, dependsOn: string[], mock?: RequestedBehaviour) => ({
      id,
      name: id,
      kind: "storage",
      infrastructureTemplateId: templateId,
      dependsOn,
      specific: mock ? { mock } : {},
    });
    const body = {
      descriptor: {
        id: unitId,
        name,
        version: "1.0",
        environment,
        components: [component("a", [], allRequested[0]), component("b", ["a"], allRequested[1])],
      },
      targetStatus: ["a", "b"].map((componentId) => ({ componentId, targetStatus: "DEPLOYED" })),
    };
    const path = `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`;
    const { status, body: token, text } = await call({ method: "POST", path, body });
    if (status !== 202) throw new Error(`The plan was not accepted: ${status} ${text}`);
    return token as string;
  };

  const outcome = async (token: string): Promise<Outcome> => {
    const ended = await until(
      () => call({ path: `/v1/execution-plans/${token}?include-descriptors=false` }),
      ({ body }) => /^(?:COMPLETED|FAILED|TERMINATED)$/.test(body.dag?.status),
    );
    const { dag } = ended.body as { dag: TaskNode };
    const clean = (text: string): string =>
      text
        .replaceAll(token, "plan")
        .replaceAll(url ?? adapter.url, "<adapter>")
        .replaceAll(adapter.url, "<adapter>")
        .replaceAll(/\d+\.\d s\b/g, "<time>");
    const unit = await call({
      path: `/v1/deployment-units/${unitId}/provisioning-status?environment=${environment}`,
    });
    const logs = await call({ path: `/v1/logs/${token}?level=WARNING` });
    const journal = adapter.journal().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(`${token}:`));
    const changing = journal.filter(({ operation }) => !["poll", "validate"].includes(operation));
    return {
      plan: dag.result === "" ? dag.status : `${dag.status}: ${clean(dag.result)}`,
      tasks: Object.fromEntries(
        flat(dag)
          .filter(({ id }) => !id.includes(":stage-"))
          .map(({ id, status, result }) => [id, result === "" ? status : ([status, clean(result)] as const)])
          .sort(([one], [other]) => String(one).localeCompare(String(other))),
      ) as Outcome["tasks"],
      components: Object.fromEntries(
        (unit.body.provisioningDetails?.componentsStatus ?? []).map(
          (each: { componentId: string; status: string }) => [each.componentId, each.status],
        ),
      ),
      calls: changing.map(({ operation, idempotencyKey, acted, repeat }) =>
        [operation, clean(idempotencyKey ?? ""), acted ? "acted" : repeat ? "repeat" : ""].join(" ").trim(),
      ),
      polls: journal.filter(({ operation }) => operation === "poll").length,
      log: (logs.body as { severity: string; message: string }[]).map(
        ({ severity, message }) => `${severity} ${clean(message)}`,
      ),
    };
  };

  return {
    adapter,
    unitId,
    start,
    outcome,
    run: async (...allRequested) => outcome(await start(...allRequested)),
    async adapterLines(token) {
      const { body } = await call({ path: `/v1/logs/${token}` });
      return (body as { phase: string; message: string; severity: string }[])
        .filter(({ phase }) => phase.endsWith(":ADAPTER"))
        .map(({ message, severity }) => `${severity} ${message.replace(/^\[[^\]]*\] /, "")}`);
    },
    get: (path) => call({ path }),
    post: (path) => call({ method: "POST", path }),
    register,
    close: () => adapter.close(),
  };
}

/** The tasks of a graph once each; the plan itself is its root. */
function flat(root: TaskNode): TaskNode[] {
  const found = new Map<string, TaskNode>();
  const visit = (node: TaskNode): void => {
    for (const task of node.dependsOnTasks ?? []) {
      if (!found.has(task.id)) found.set(task.id, task);
      visit(task);
    }
  };
  visit(root);
  return [...found.values()];
}

const skipped: Outcome["tasks"][string] = ["SKIPPED", "A task that this one needs did not complete."];
const validated = { "validate:a": "COMPLETED", "validate:b": "COMPLETED" };

/** All went well; `more` says what differs from that. */
export const completed = (more: Partial<Outcome> = {}): Outcome => ({
  plan: "COMPLETED",
  tasks: {
    "provision:a": ["COMPLETED", "provision done"],
    "provision:b": ["COMPLETED", "provision done"],
    ...validated,
  },
  components: { a: "DEPLOYED", b: "DEPLOYED" },
  calls: ["provision plan:provision:a acted", "provision plan:provision:b acted"],
  polls: 0,
  log: [],
  ...more,
});

/** The provisioning of `a` failed after its one call, which the adapter acted upon. */
export const failed = (result: string, more: Partial<Outcome> = {}): Outcome => ({
  plan: "FAILED: Failed: a.",
  tasks: { "provision:a": ["FAILED", result], "provision:b": skipped, ...validated },
  components: { a: "CORRUPT", b: "NOT_DEPLOYED" },
  calls: ["provision plan:provision:a acted"],
  polls: 0,
  log: [`ERROR Provisioning of a failed: ${result}`],
  ...more,
});

/** The validation of `a` failed, so nothing else was done, and the unit stays one that was never seen. */
export const refused = (result: string, log: string[]): Outcome => ({
  plan: "FAILED: Failed: a.",
  tasks: {
    "provision:a": skipped,
    "provision:b": skipped,
    "validate:a": ["FAILED", result],
    "validate:b": "COMPLETED",
  },
  components: {},
  calls: [],
  polls: 0,
  log,
});

/** A plan over the same unit afterwards, when the adapter behaves. */
export const goesOn = completed();
