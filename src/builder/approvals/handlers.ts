import type { Db } from "../../platform/db/database.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import type { ActionName, BuilderDeps } from "../context.ts";

/** The dependencies of hooks; a worker has no others. */
export type HookContext = RequestContext & {
  builder: Pick<BuilderDeps, "database" | "settings">;
};

export interface RefusedAction {
  actionId: string;
  status: "REJECTED" | "EXPIRED";
  /** A message for users. */
  reason: string;
}

/** What happens when an action ends; called in the transaction that ends it. */
export interface ActionHandler {
  /** Every hook is OK: hands the callback to the workers. */
  approved: (ctx: HookContext, tx: Db, actionId: string) => Promise<void>;
  /** A hook is KO or has expired: there is no callback. */
  refused: (ctx: HookContext, tx: Db, refused: RefusedAction) => Promise<void>;
}

export type ActionHandlers = Readonly<Record<ActionName, ActionHandler>>;
