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

interface Wanted {
  unit: string;
  environments: readonly string[];
  limit: number;
}

/** Newest first over all environments, also where they need several calls; a plan that has not begun is newest. */
async function readPlans(server: Server, { unit, environments, limit }: Wanted): Promise<Listed<PlanStatus>> {
  const items: PlanStatus[] = [];
  for (let from = 0; from < environments.length; from += maxEnvironments) {
    const some = environments.slice(from, from + maxEnvironments);
    items.push(...(await readNewest(server, { unit, environments: some, limit: limit + 1 })));
  }
  if (environments.length > maxEnvironments) items.sort(newestFirst);
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

const newestFirst = (a: PlanStatus, b: PlanStatus): number => {
  const [first, second] = [a.dag.startTime ?? "~", b.dag.startTime ?? "~"];
  return first === second ? 0 : first < second ? 1 : -1;
};

async function readNewest(server: Server, { unit, environments, limit }: Wanted): Promise<PlanStatus[]> {
  const items: PlanStatus[] = [];
  for (let isLast = false; !isLast && items.length < limit;) {
    const size = Math.min(pageSize, limit - items.length);
    const { body } = await callServer<{ provisioningPlans: PlanStatus[] }>(server, {
      method: "GET",
      path: "/api/coordinator/v1/provisioning-plans",
      query: {
        "data-product-id": unit,
        environments: environments.join(","),
        operations,
        "include-descriptors": false,
        "include-snapshot": false,
        offset: String(items.length),
        limit: String(size),
      },
    });
    items.push(...body.provisioningPlans);
    isLast = body.provisioningPlans.length < size;
  }
  return items;
}
