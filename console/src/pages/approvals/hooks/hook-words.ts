import { shortName } from "../parts/names.ts";
import type { Hook, HookStatus } from "./queries.ts";

/** What is asked for, as a title. */
export const titleOfHook = ({ about, actionName, hookName }: Hook): string => {
  const { deploymentUnitId, environment, removeData } = about;
  const place = environment === null ? "" : ` in ${environment}`;
  if (deploymentUnitId === null) return hookName;
  const unit = shortName(deploymentUnitId);
  if (actionName === "accessRequest") return `Access to ${unit}${place}`;
  return removeData ? `Remove data of ${unit}${place}` : `Deploy ${unit}${place}`;
};

export const statusWords: Record<HookStatus, string> = { pending: "Waiting", OK: "Approved", KO: "Refused" };

/** What happens when nobody decides in time. */
export const endOf = ({ actionName }: Hook): string =>
  actionName === "accessRequest"
    ? "it expires, and access is not changed"
    : "it expires, and the plan ends without having begun";
