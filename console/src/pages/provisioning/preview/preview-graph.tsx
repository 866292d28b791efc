import "@xyflow/react/dist/base.css";
import { useComputedColorScheme } from "@mantine/core";
import { Handle, Position, ReactFlow, type Edge, type Node, type NodeProps } from "@xyflow/react";
import { memo, useMemo, type ReactNode } from "react";
import { layoutOf } from "../../../parts/graph/layout.ts";
import { wordsOf } from "../../../parts/values/text.ts";
import { componentNameOf } from "../names.ts";
import { actionTones, actionWord, type Change } from "./changes-table.tsx";
import classes from "./preview-graph.module.css";

const nodeWidth = 190;
const nodeHeight = 52;

/** Which component waits for which, and what would happen to each. */
export const PreviewGraph = ({ changes }: { changes: readonly Change[] }): ReactNode => {
  const scheme = useComputedColorScheme();
  const { nodes, edges } = useMemo(() => elementsOf(changes), [changes]);
  return (
    <div className={classes["frame"]} role="region" aria-label="Graph of the planned changes">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.1}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
      />
    </div>
  );
};

type ChangeNodeData = { change: Change };

function elementsOf(changes: readonly Change[]): { nodes: Node<ChangeNodeData>[]; edges: Edge[] } {
  const byId = new Map(changes.map((change) => [change.componentId, change]));
  const pairs = changes.flatMap(({ componentId, dependantOn }) =>
    dependantOn.filter((from) => byId.has(from)).map((from) => ({ from, to: componentId })),
  );
  const { nodes } = layoutOf([...byId.keys()], pairs, { nodeWidth, nodeHeight });
  return {
    nodes: nodes.map(({ id, x, y }) => ({
      id,
      type: "change",
      position: { x, y },
      width: nodeWidth,
      height: nodeHeight,
      data: { change: byId.get(id) as Change },
    })),
    edges: pairs.map(({ from, to }) => ({ id: `${from} ${to}`, source: from, target: to })),
  };
}

const ChangeNode = memo(({ data: { change } }: NodeProps<Node<ChangeNodeData>>): ReactNode => {
  const { componentId, action, reason } = change;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes["handle"]} />
      <div className={classes["node"]} data-tone={actionTones[action]} title={componentId}>
        <span>{componentNameOf(componentId)}</span>
        <small>
          {actionWord(action)}: {wordsOf(reason)}
        </small>
      </div>
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes["handle"]} />
    </>
  );
});

const nodeTypes = { change: ChangeNode };
