import type { ReactNode } from "react";
import { PageLink } from "../../../../parts/page/page-link.tsx";
import { durationText } from "../../../../parts/values/text.ts";
import { countOf } from "../../names.ts";
import { useNodes, type LivePlan } from "../use-plan.ts";
import { splitWords } from "../tasks/split.ts";
import type { Timing } from "../queries.ts";
import classes from "./plan-header.module.css";

/** How long it will take, on which tasks that depends, and where its time goes. */
export const PlanTimes = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { timing, isEnded } = plan;
  if (timing === undefined || timing.tasks.length === 0) return null;
  return (
    <dl className={classes["times"]}>
      {!isEnded && (
        <div>
          <dt>Time left</dt>
          <dd>
            <Remaining {...timing.remaining} />
          </dd>
        </div>
      )}
      {timing.criticalPath.taskIds.length > 0 && (
        <div>
          <dt>Critical path</dt>
          <dd>
            <CriticalPath plan={plan} timing={timing} />
          </dd>
        </div>
      )}
      <div>
        <dt>Where the time went</dt>
        <dd>{whereTimeWent(timing)}</dd>
      </div>
    </dl>
  );
};

const Remaining = ({ medianMs, p90Ms, reason }: Timing["remaining"]): ReactNode => {
  if (medianMs === null) return <>Not known. {reason}</>;
  const most =
    p90Ms === null || p90Ms <= medianMs ? "" : `, at most ${durationText(p90Ms)} nine times of ten`;
  return (
    <>
      about {durationText(medianMs)}
      {most}
    </>
  );
};

const CriticalPath = ({ plan, timing }: { plan: LivePlan; timing: Timing }): ReactNode => {
  const nodes = useNodes(plan.store);
  const { taskIds, ms } = timing.criticalPath;
  const last = nodes.find(({ id }) => id === taskIds.at(-1));
  return (
    <>
      {countOf(taskIds.length, "task")}, {durationText(ms)}
      {last !== undefined && <>, ends with {last.name}</>}{" "}
      <PageLink
        underline="always"
        to="."
        search={(previous: object) => ({ ...previous, tab: undefined, critical: true as const })}
      >
        show
      </PageLink>
    </>
  );
};

/** Of the critical path, because the time of tasks beside each other counts once. */
function whereTimeWent({ criticalPath, tasks, approvalMs, beforeStartMs }: Timing): string {
  const critical = new Set(criticalPath.taskIds);
  const sums = { queueMs: 0, retriesMs: 0, callMs: 0, pollMs: 0 };
  for (const { taskId, split } of tasks) {
    if (!critical.has(taskId)) continue;
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += split[key];
  }
  const parts: [string, number][] = [
    ["approval", approvalMs],
    ["before a worker took it", beforeStartMs - approvalMs],
    ...(Object.keys(sums) as (keyof typeof sums)[]).map((key): [string, number] => [
      splitWords[key],
      sums[key],
    ]),
  ];
  const shown = parts.filter(([, ms]) => ms >= 1).toSorted((a, b) => b[1] - a[1]);
  return shown.length === 0 ? "–" : shown.map(([word, ms]) => `${word} ${durationText(ms)}`).join(" · ");
}
