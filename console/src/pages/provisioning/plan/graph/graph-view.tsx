import "@xyflow/react/dist/base.css";
import { ActionIcon, Group, SegmentedControl, Text, Tooltip, useComputedColorScheme } from "@mantine/core";
import {
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Edge,
  type Node,
  type Viewport,
} from "@xyflow/react";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, type MouseEvent, type ReactNode } from "react";
import { Icon } from "../../../../parts/page/icon.tsx";
import { countOf } from "../../names.ts";
import type { PlanNode } from "../model/plan-nodes.ts";
import { presentStage, stagesOf, type Stage } from "../model/stages.ts";
import { graphStages } from "../tabs.ts";
import { useNodes, type LivePlan } from "../use-plan.ts";
import { useTimes } from "../tasks/tasks-view.tsx";
import { doTouch, type Area } from "./area.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import classes from "./graph.module.css";
import { nodeHeight, nodeWidth, placeStages, type Placement } from "./placement.ts";
import { useArea } from "./use-area.ts";
import { nodeTypes, type StageNodeData, type TaskNodeData } from "./nodes.tsx";

const route = getRouteApi("/plans/$planId");

/** The graph of a stage, or of all: nodes in view while one can read them, a picture of all when zoomed out. */
export const GraphView = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { stage } = route.useSearch();
  const navigate = route.useNavigate();
  const nodes = useNodes(plan.store);
  const stages = useStages(plan.planId, nodes);
  const chosen = stage ?? presentStage(stages)?.key ?? "all";
  const shown = chosen === "all" ? stages : stages.filter(({ key }) => key === chosen);
  const form = shown.map(({ tasks }) => tasks.map(({ id }) => id).join()).join();
  // The statuses of its tasks change all the time, the form of a graph does not.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const placement = useMemo(() => placeStages(shown), [form]);
  return (
    <>
      <Group gap="sm" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label="Stage"
          value={chosen}
          data={[
            ...stages.map(({ key, name, tasks }) => ({
              value: key,
              label: `${name} ${progressText(tasks)}`,
            })),
            { value: "all", label: "All" },
          ]}
          onChange={(value) =>
            void navigate({
              search: (old) => ({ ...old, stage: graphStages.find((each) => each === value) }),
              replace: true,
            })
          }
        />
        <Text size="xs" c="dimmed">
          {countOf(placement.tasks.length, "task")}. The tab Tasks has the same as a table.
        </Text>
      </Group>
      <ReactFlowProvider key={`${chosen} ${placement.tasks.length}`}>
        <Graph plan={plan} placement={placement} />
      </ReactFlowProvider>
    </>
  );
};

const useStages = (planId: string, nodes: readonly PlanNode[]): Stage[] =>
  useMemo(() => stagesOf(planId, nodes), [planId, nodes]);

const progressText = (tasks: readonly PlanNode[]): string =>
  `${tasks.filter(({ status }) => status === "COMPLETED").length}/${tasks.length}`;

/** Below this a name cannot be read. */
const readableZoom = 0.42;
const fewTasks = 40;

const Graph = ({ plan, placement }: { plan: LivePlan; placement: Placement }): ReactNode => {
  const navigate = route.useNavigate();
  const scheme = useComputedColorScheme();
  const times = useTimes(plan);
  const open = useCallback(
    (task: string) => void navigate({ search: (old) => ({ ...old, task }) }),
    [navigate],
  );
  const isReadable = useStore(({ transform }) => transform[2] >= readableZoom);
  const critical = plan.timing?.criticalPath.taskIds;
  const { nodes, edges } = useMemo(
    () => elementsOf({ placement, plan, open, critical: new Set(critical) }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [placement, plan.store, open, critical?.join()],
  );
  const area = useArea();
  const near = useMemo(() => elementsIn(area, nodes, edges), [area, nodes, edges]);
  const frame = useRef<HTMLDivElement>(null);
  const setMoving = (isMoving: boolean): void => {
    frame.current?.toggleAttribute("data-moving", isMoving);
  };
  const { screenToFlowPosition } = useReactFlow();
  const openAt = (event: MouseEvent | globalThis.MouseEvent): void => {
    if (isReadable) return;
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const hit = placement.tasks.find(
      (task) => x >= task.x && x <= task.x + nodeWidth && y >= task.y && y <= task.y + nodeHeight,
    );
    if (hit !== undefined) open(hit.id);
  };
  return (
    <div
      ref={frame}
      className={classes["frame"]}
      style={{ height: `clamp(13rem, ${Math.ceil(placement.height + 90)}px, 65vh)` }}
      role="region"
      aria-label="Graph of the plan"
    >
      <ReactFlow
        nodes={isReadable ? near.nodes : none}
        edges={isReadable ? near.edges : none}
        onMoveStart={() => setMoving(true)}
        onMoveEnd={() => setMoving(false)}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        defaultViewport={viewportOf(placement, plan)}
        minZoom={0.04}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        onPaneClick={openAt}
        proOptions={{ hideAttribution: true }}
      >
        {!isReadable && (
          <GraphCanvas store={plan.store} placement={placement} times={times} scheme={scheme} />
        )}
        <Controls placement={placement} />
      </ReactFlow>
    </div>
  );
};

const none: never[] = [];

/** Nodes of the area, and the edges that begin or end in it with the nodes at their other end. */
function elementsIn(area: Area, nodes: Node[], edges: Edge[]): { nodes: Node[]; edges: Edge[] } {
  const inside = new Set(nodes.filter((node) => doTouch(boxOf(node), area)).map(({ id }) => id));
  const kept = edges.filter(({ source, target }) => inside.has(source) || inside.has(target));
  const shown = new Set([...inside, ...kept.flatMap(({ source, target }) => [source, target])]);
  return { nodes: nodes.filter(({ id }) => shown.has(id)), edges: kept };
}

const boxOf = ({ position: { x, y }, width = 0, height = 0 }: Node): Area => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

interface ElementsSource {
  placement: Placement;
  plan: LivePlan;
  open: (task: string) => void;
  critical: ReadonlySet<string>;
}

function elementsOf({ placement, plan, open, critical }: ElementsSource): { nodes: Node[]; edges: Edge[] } {
  const tasks = placement.tasks.map(({ id, x, y }): Node<TaskNodeData> => ({
    id,
    type: "task",
    position: { x, y },
    width: nodeWidth,
    height: nodeHeight,
    data: { store: plan.store, open, isCritical: critical.has(id) },
  }));
  const stages = placement.stages.map(({ key, name, x, width }): Node<StageNodeData> => ({
    id: `stage ${key}`,
    type: "stage",
    position: { x, y: 0 },
    width,
    height: 28,
    data: { name },
  }));
  const edges = placement.edges.map(({ from, to }): Edge => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    ...(critical.has(from) && critical.has(to) ? { className: classes["criticalEdge"] ?? "" } : {}),
  }));
  return { nodes: [...stages, ...tasks], edges };
}

/** A small graph as a whole; of a large one the part where something happens, in letters that one can read. */
function viewportOf(placement: Placement, { store }: LivePlan): Viewport {
  const width = Math.min(window.innerWidth, 1200);
  if (placement.tasks.length <= fewTasks) {
    const zoom = Math.max(
      readableZoom,
      Math.min(1, width / (placement.width + 60), 480 / (placement.height + 40)),
    );
    return { x: 24, y: 16, zoom };
  }
  const focus =
    placement.tasks.find(({ id }) => store.get(id)?.status === "FAILED") ??
    placement.tasks.find(({ id }) => store.get(id)?.status === "RUNNING") ??
    placement.tasks[0];
  const zoom = 0.8;
  return {
    x: Math.min(24, width / 3 - (focus?.x ?? 0) * zoom),
    y: Math.min(16, 200 - (focus?.y ?? 0) * zoom),
    zoom,
  };
}

const Controls = ({ placement }: { placement: Placement }): ReactNode => {
  const { zoomIn, zoomOut, fitBounds } = useReactFlow();
  const { width, height } = placement;
  return (
    <div className={classes["controls"]}>
      <Tooltip label="Zoom in">
        <ActionIcon aria-label="Zoom in" variant="default" onClick={() => void zoomIn()}>
          +
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Zoom out">
        <ActionIcon aria-label="Zoom out" variant="default" onClick={() => void zoomOut()}>
          −
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Show all">
        <ActionIcon
          aria-label="Show all"
          variant="default"
          onClick={() => void fitBounds({ x: 0, y: 0, width, height }, { padding: 0.05 })}
        >
          <Icon name="system" size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
};
