/** Every action that a template may name; each comes from a file of its own. */
import type { Action } from "./action.ts";
import { debugLog } from "./debug-log.ts";
import { debugWait } from "./debug-wait.ts";

export function createActions(): Map<string, Action> {
  const actions: Action[] = [debugLog, debugWait];
  return new Map(actions.map((action) => [action.id, action]));
}
