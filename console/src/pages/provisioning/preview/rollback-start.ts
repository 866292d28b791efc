/** Pure: the start of a rollback that was previewed. */
import type { CoordinatorComponents } from "plinth-client";

type Schemas = CoordinatorComponents["schemas"];
type RollbackPreview = Pick<
  Schemas["ProvisioningPreview"],
  "outcome" | "permission" | "planHash" | "protectedData"
>;

/** Whether it can be started; `confirmed` are the components whose protected data may be removed. */
export const canRollBack = (
  { outcome, permission, protectedData = [] }: RollbackPreview,
  confirmed: readonly string[],
): boolean =>
  outcome !== "KO" && permission?.verdict !== "deny" && protectedData.every((id) => confirmed.includes(id));

/** Pinned to exactly what was shown. */
export const rollbackBody = (
  asked: Schemas["RollbackRequest"],
  { planHash, protectedData = [] }: RollbackPreview,
  confirmed: readonly string[],
): Schemas["RollbackRequest"] => {
  const named = protectedData.filter((id) => confirmed.includes(id));
  return { ...asked, planHash, ...(named.length > 0 && { confirmDataRemoval: named }) };
};
