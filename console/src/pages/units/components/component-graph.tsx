import "@xyflow/react/dist/base.css";
import { UnstyledButton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import {
  Background,
  Controls,
  Handle,
  Position,
  ReactFlow,
  type Edge,
  type Node,
  type NodeProps,
} from "@xyflow/react";
import { useMemo, type CSSProperties, type ReactNode } from "react";
import { layoutOf } from "../../../parts/graph/layout.ts";
import { toneOf } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { kindText } from "../names.ts";
import { edgesOf } from "../unit/descriptor.ts";
import classes from "./components.module.css";
import type { UnitComponent } from "./merge.ts";

const route = getRouteApi("/units/$unitId");
const size = { nodeWidth: 190, nodeHeight: 56 };
const margin = 48;

type ComponentNode = Node<{ component: UnitComponent; status: string }, "component">;

/** What depends on what, from left to right, with the statuses of one environment. The table tells the same in text. */
export const ComponentGraph = ({
  components,
  environment,
}: {
  components: readonly UnitComponent[];
  environment: string;
}): ReactNode => {
  const { nodes, edges, height } = useMemo(() => graphOf(components, environment), [components, environment]);
  const style = {
    "--graph-height": `${Math.min(Math.max(height + 2 * margin, 240), 620)}px`,
  } as CSSProperties;
  return (
    <div className={classes["graph"]} style={style} role="region" aria-label={`Graph in ${environment}`}>
      <ReactFlow
        // Made anew for another graph, so that it fits into the view again.
        key={`${nodes.length} ${edges.length}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.1}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        // The page scrolls; the graph is zoomed with Ctrl and the wheel, or its buttons.
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} color="var(--plinth-line)" />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
};

function graphOf(
  components: readonly UnitComponent[],
  environment: string,
): { nodes: ComponentNode[]; edges: Edge[]; height: number } {
  const ids = components.map(({ id }) => id);
  const known = new Set(ids);
  const edges = edgesOf(components).filter(({ from }) => known.has(from));
  const layout = layoutOf(ids, edges, size);
  const byId = new Map(components.map((component) => [component.id, component]));
  return {
    height: layout.height,
    nodes: layout.nodes.map(({ id, x, y }) => ({
      id,
      type: "component",
      position: { x, y },
      width: size.nodeWidth,
      height: size.nodeHeight,
      data: {
        component: byId.get(id) as UnitComponent,
        status: byId.get(id)?.in.get(environment)?.status ?? "NOT_DEPLOYED",
      },
    })),
    edges: edges.map(({ from, to }) => ({ id: `${from} ${to}`, source: from, target: to })),
  };
}

const ComponentBox = ({ data: { component, status } }: NodeProps<ComponentNode>): ReactNode => {
  const navigate = route.useNavigate();
  const tone = `var(--mantine-color-${toneOf(status)}-outline)`;
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes["handle"]} isConnectable={false} />
      <UnstyledButton
        className={`${classes["node"]} nopan`}
        style={{ "--tone": tone }}
        title={component.id}
        onClick={() =>
          void navigate({
            search: (previous) => ({ ...previous, component: component.id }),
            resetScroll: false,
          })
        }
      >
        <span className={classes["nodeName"]}>{component.name}</span>
        <span className={classes["small"]}>
          {[component.kind !== undefined && kindText(component.kind), wordsOf(status)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </UnstyledButton>
      <Handle type="source" position={Position.Right} className={classes["handle"]} isConnectable={false} />
    </>
  );
};

const nodeTypes = { component: ComponentBox };
