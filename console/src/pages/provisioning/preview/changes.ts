/** What can be said of planned changes. Pure. */
import type { CoordinatorComponents } from "plinth-client";
import { countOf } from "../names.ts";

type Change = CoordinatorComponents["schemas"]["PlannedChange"];

const words: readonly [Change["action"], string][] = [
  ["DEPLOY", "to deploy"],
  ["REDEPLOY", "to redeploy"],
  ["UNDEPLOY", "to undeploy"],
  ["NONE", "left alone"],
];

/** `4 components: 2 to deploy, 2 left alone`. */
export function summaryOf(changes: readonly Pick<Change, "action">[]): string {
  const counts = words
    .map(([action, word]) => ({ word, count: changes.filter((each) => each.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`);
  return `${countOf(changes.length, "component")}: ${counts.join(", ")}`;
}

/** Components of which the new plan says something else, or which only one of both has. */
export function movedChanges(before: readonly Change[], after: readonly Change[]): Set<string> {
  const said = new Map(before.map((change) => [change.componentId, textOf(change)]));
  const moved = new Set(
    after
      .filter((change) => said.get(change.componentId) !== textOf(change))
      .map(({ componentId }) => componentId),
  );
  const kept = new Set(after.map(({ componentId }) => componentId));
  for (const { componentId } of before) if (!kept.has(componentId)) moved.add(componentId);
  return moved;
}

const textOf = ({ action, reason, targetStatus }: Change): string => `${action} ${reason} ${targetStatus}`;
