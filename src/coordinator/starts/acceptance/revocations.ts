/**
 * Tasks that revoke all access to components that a plan deploys as not consumable; they run before the
 * deployment.
 */
import type { EnabledAdapter } from "../../adapters/store.ts";
import type { Db } from "../../../platform/db/database.ts";
import { findGranted, readPort, type Port } from "../adapter-requests/store.ts";
import { accessTask } from "../adapter-requests/tasks.ts";
import type { ComponentRow, UnitKey } from "../../units/store.ts";
import type { NewTask } from "../../execution/record/types.ts";

export interface Revoking {
  planId: string;
  tasks: NewTask[];
  known: readonly ComponentRow[];
  adapters: ReadonlyMap<string, EnabledAdapter>;
}

/**
 * The tasks, with revocations added. The caller's transaction locks the unit, so no access is granted
 * meanwhile.
 */
export async function withRevocations(db: Db, at: UnitKey, revoking: Revoking): Promise<NewTask[]> {
  const closing = closingKeys(revoking);
  if (closing.length === 0) return revoking.tasks;
  const ports: Port[] = [];
  for (const key of await findGranted(db, at, closing)) {
    const port = await readPort(db, at, key);
    if (port) ports.push(port);
  }
  return revokeFirst(revoking, ports);
}

/** Pure. Keys of consumable components that the plan deploys as not consumable. */
function closingKeys({ tasks, known }: Revoking): string[] {
  const open = new Set(known.filter(({ consumable }) => consumable).map(({ key }) => key));
  if (open.size === 0) return [];
  return tasks.flatMap((task) => closedBy(task).map(({ key }) => key)).filter((key) => open.has(key));
}

const closedBy = ({ action, snapshot }: NewTask) =>
  action === "PROVISION" ? (snapshot?.members ?? []).filter(({ consumable }) => consumable !== true) : [];

/** Pure. Each revocation waits for what its deployment waits for, and the deployment waits for it. */
export function revokeFirst({ planId, tasks, adapters }: Revoking, ports: readonly Port[]): NewTask[] {
  return tasks.flatMap((task) => {
    const closed = new Map(closedBy(task).map((member) => [member.key, member]));
    const revocations = ports.flatMap((port): NewTask[] => {
      const member = closed.get(port.key);
      if (member === undefined) return [];
      return [
        {
          ...accessTask(planId, { port, adapter: adapters.get(port.templateId ?? ""), refs: [] }),
          depends_on: task.depends_on,
          snapshot: { members: [{ ...member, closed: true }] },
        },
      ];
    });
    if (revocations.length === 0) return [task];
    return [...revocations, { ...task, depends_on: revocations.map(({ task_id }) => task_id) }];
  });
}
