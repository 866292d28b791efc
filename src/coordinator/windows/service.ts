/** Lists and replaces the maintenance windows of environments. */
import { inTransaction } from "../../platform/db/database.ts";
import { writeAudit, type CoordinatorContext } from "../context.ts";
import { requireEnvironment } from "../environments.ts";
import { coordinatorFailure } from "../errors.ts";
import { countHeld } from "./hold-store.ts";
import { windowProblems } from "./check-windows.ts";
import type { WindowsBody, WindowsList, WindowsView } from "./schema.ts";
import { readAllWindows, readWindows, writeWindows, type WindowsRow } from "./store.ts";
import { closedAt } from "./window.ts";

/** Of all configured environments, in their order. */
export async function listWindows(ctx: CoordinatorContext): Promise<WindowsList> {
  const { database, settings } = ctx.coordinator;
  const rows = new Map((await readAllWindows(database.db)).map((row) => [row.environment, row]));
  const held = await countHeld(database.db);
  const viewOf = (environment: string): WindowsView =>
    windowsView(environment, { row: rows.get(environment), held, now: ctx.now() });
  return { data: settings.environments.map(viewOf) };
}

export async function putWindows(
  ctx: CoordinatorContext,
  environment: string,
  { version: from, windows }: WindowsBody,
): Promise<WindowsView> {
  requireEnvironment(ctx, environment);
  const problems = windowProblems(windows);
  if (problems.length > 0)
    throw coordinatorFailure("COORD_INVALID_WINDOWS", {
      message: `The windows can't be stored: ${problems.length} problem${problems.length === 1 ? "" : "s"} found.`,
      problems,
    });
  const { database } = ctx.coordinator;
  return inTransaction(database, async (tx) => {
    const change = { environment, from, windows, at: ctx.now(), by: ctx.actor.ref };
    const isWritten = await writeWindows(tx, change);
    const row = await readWindows(tx, environment);
    if (!isWritten) throw staleVersion(from, row?.version ?? 0);
    await writeAudit(tx, ctx, {
      operation: "putMaintenanceWindows",
      subject: `environment:${environment}`,
      detail: { version: from + 1, windows },
    });
    return windowsView(environment, { row: row ?? undefined, held: await countHeld(tx), now: ctx.now() });
  });
}

interface Known {
  row: WindowsRow | undefined;
  held: ReadonlyMap<string, number>;
  now: Date;
}

function windowsView(environment: string, { row, held, now }: Known): WindowsView {
  const windows = row?.windows ?? [];
  const closed = closedAt(windows, now);
  return {
    environment,
    version: row?.version ?? 0,
    windows,
    isOpen: closed === null,
    reason: closed?.reason ?? null,
    opensAt: closed?.opensAt?.toISOString() ?? null,
    waitingPlans: held.get(environment) ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? null,
    updatedBy: row?.updatedBy ?? null,
  };
}

const staleVersion = (from: number, version: number) =>
  coordinatorFailure("COORD_WINDOWS_CHANGED", {
    message: `The windows have the version ${version}, not ${from}.`,
    where: "/version",
    solution: "Read the windows again, apply the change to those and name their version.",
    input: String(from),
  });
