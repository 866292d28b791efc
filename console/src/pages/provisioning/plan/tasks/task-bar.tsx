import type { CSSProperties, ReactNode } from "react";
import type { PlanNode } from "../model/plan-nodes.ts";
import type { PlanStore } from "../model/plan-store.ts";
import type { TaskTiming } from "../queries.ts";
import { useNode } from "../use-plan.ts";
import { splitText } from "./split.ts";
import classes from "./tasks.module.css";

export interface TaskBarProps {
  store: PlanStore;
  id: string;
  timing: TaskTiming | undefined;
}

/** When the task waited for a place, and when it was at work, split by what it did. Seconds, placed by the properties of the frame. */
export const TaskBar = ({ store, id, timing }: TaskBarProps): ReactNode => {
  const node = useNode(store, id);
  if (node === undefined || node.startedAt === null) return <NotBegun node={node} />;
  const { startedAt, stoppedAt } = node;
  const queued = timing?.split.queueMs ?? 0;
  const text = timing === undefined ? "" : splitText(timing.split);
  return (
    <span className={classes["lane"]} title={text}>
      {queued >= 1 && (
        <span
          className={classes["before"]}
          style={placeOf((startedAt - queued) / 1000, queued / 1000)}
          aria-hidden
        />
      )}
      <span
        className={classes["bar"]}
        data-status={node.status}
        data-critical={timing?.isCritical === true ? true : undefined}
        style={placeOf(startedAt / 1000, stoppedAt === null ? null : (stoppedAt - startedAt) / 1000)}
      >
        <Parts node={node} timing={timing} />
      </span>
      <span className={classes["hidden"]}>{text}</span>
    </span>
  );
};

/** Its place in time is not known yet, so that the reason has the room. */
const NotBegun = ({ node }: { node: PlanNode | undefined }): ReactNode => {
  const reason = node === undefined ? "" : (node.waiting?.reason ?? node.message);
  return (
    <span className={classes["reason"]} title={reason}>
      {reason}
    </span>
  );
};

/** Without a length it goes on until now. */
const placeOf = (start: number, length: number | null): CSSProperties =>
  ({
    "--start": start,
    ...(length === null ? {} : { "--length": length }),
  }) as CSSProperties;

const workKeys = ["retriesMs", "callMs", "pollMs"] as const;
const partClasses = { retriesMs: "retries", callMs: "call", pollMs: "poll" } as const;

const Parts = ({ node, timing }: { node: PlanNode; timing: TaskTiming | undefined }): ReactNode => {
  if (timing === undefined || node.status === "FAILED") return null;
  return workKeys
    .filter((key) => timing.split[key] > 0)
    .map((key) => (
      <span
        key={key}
        className={classes[partClasses[key]]}
        style={{ flexGrow: timing.split[key], flexBasis: 0 }}
      />
    ));
};
