import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { toneOf } from "../../../../parts/values/status.tsx";
import { wordsOf } from "../../../../parts/values/text.ts";
import type { PlanStore } from "../model/plan-store.ts";
import { useNode } from "../use-plan.ts";
import classes from "./graph.module.css";

export interface TaskNodeData extends Record<string, unknown> {
  store: PlanStore;
  open: (task: string) => void;
  isCritical: boolean;
}

export interface StageNodeData extends Record<string, unknown> {
  name: string;
}

/** Follows its own task: an event renders this node alone. */
const TaskNode = memo(({ id, data }: NodeProps<Node<TaskNodeData>>): ReactNode => {
  const { store, open, isCritical } = data;
  const node = useNode(store, id);
  const status = node?.status ?? "WAITING";
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes["handle"]} />
      <button
        type="button"
        className={classes["node"]}
        data-tone={toneOf(status)}
        data-status={status}
        data-critical={isCritical || undefined}
        title={id}
        onClick={() => open(id)}
      >
        <span>{node?.name ?? id}</span>
        <small>{wordsOf(status)}</small>
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes["handle"]} />
    </>
  );
});

const StageNode = memo(({ data }: NodeProps<Node<StageNodeData>>): ReactNode => (
  <div className={classes["stage"]}>{data.name}</div>
));

export const nodeTypes = { task: TaskNode, stage: StageNode };
