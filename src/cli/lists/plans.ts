/** `plinth list plans`: the plans of one unit, each with the states of its tasks. */
import { callServer, type Server } from "../client/http.ts";
import type { PlanStatus } from "../client/wire.ts";
import type { Cli } from "../context.ts";
import { serverOf } from "../options.ts";
import { progressOf } from "../print/plan-progress.ts";
import { countLine } from "../print/plan-view.ts";
import { oneLine } from "../print/text.ts";
import { printList, type ListOptions } from "./print-list.ts";
import { statusCell, timeCell } from "./kinds.ts";
import type { Listed } from "./pages.ts";
import type { ListedEnvironment } from "./wire.ts";

/** Plans in one page: each is a whole task graph. */
const pageSize = 20;
/** The kinds of tasks that change a unit or the access to it: plans that only validate are not listed. */
const operations = "PROVISION,UNPROVISION,UPDATE_ACL";

export async function listPlans(cli: Cli, unit: string, options: ListOptions): Promise<number> {
  const server = serverOf(cli, options);
  const environments = options.environment ?? (await readEnvironments(server));
  const listed = await readPlans(server, { unit, environments, limit: options.limit });
  printList<PlanStatus>(cli, options, {
    listed,
    columns: [
      { title: "PLAN" },
      { title: "ENVIRONMENT" },
      { title: "STATUS" },
      { title: "STARTED" },
      { title: "TASKS", shrinks: true },
      { title: "WAITS FOR", shrinks: true },
    ],
    toRow: ({ environment, dag }, styles) => [
      oneLine(dag.id),
      oneLine(environment),
      statusCell(styles, dag.status),
      timeCell(dag.startTime),
      countLine([...progressOf(dag.id, dag).tasks.values()]),
      oneLine(dag.waiting?.reason ?? ""),
    ],
  });
  return 0;
}

async function readEnvironments(server: Server): Promise<string[]> {
  const { body } = await callServer<{ data: ListedEnvironment[] }>(server, {
    method: "GET",
    path: "/api/coordinator/v1/environments",
  });
  return body.data.map(({ name }) => name);
}

/** The operation takes at most this many environments. */
const maxEnvironments = 16;

async function readPlans(
  server: Server,
  { unit, environments, limit }: { unit: string; environments: readonly string[]; limit: number },
): Promise<Listed<PlanStatus>> {
  const items: PlanStatus[] = [];
  for (let isLast = false; !isLast && items.length <= limit;) {
    const size = Math.min(pageSize, limit + 1 - items.length);
    const { body } = await callServer<{ provisioningPlans: PlanStatus[] }>(server, {
      method: "GET",
      path: "/api/coordinator/v1/provisioning-plans",
      query: {
        "data-product-id": unit,
        environments: environments.slice(0, maxEnvironments).join(","),
        operations,
        "include-descriptors": false,
        "include-snapshot": false,
        offset: String(items.length),
        limit: String(size),
      },
    });
    for (const plan of body.provisioningPlans) items.push(plan);
    isLast = body.provisioningPlans.length < size;
  }
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
