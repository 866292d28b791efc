/** Where the nodes of a plan's graph stand: stages side by side, each in layers. Pure. */
import { layoutOf, type GraphEdge } from "../../../../parts/graph/layout.ts";
import type { PlanNode } from "../model/plan-nodes.ts";
import type { Stage } from "../model/stages.ts";

export const nodeWidth = 190;
export const nodeHeight = 46;
const gapX = 56;
const gapY = 12;
const stageGap = 90;
const headHeight = 40;
/** A layer with more nodes goes on in a further column, so that a wide plan can be read as well. */
const mostRows = 20;

export interface PlacedTask {
  id: string;
  x: number;
  y: number;
}

export interface Placement {
  tasks: PlacedTask[];
  edges: GraphEdge[];
  stages: { key: string; name: string; x: number; width: number }[];
  width: number;
  height: number;
}

export function placeStages(stages: readonly Stage[]): Placement {
  const placement: Placement = { tasks: [], edges: [], stages: [], width: 0, height: 0 };
  let left = 0;
  for (const { key, name, tasks } of stages) {
    const edges = edgesOf(tasks);
    const { placed, width, height } = placeLayers(
      tasks.map(({ id }) => id),
      edges,
    );
    for (const { id, x, y } of placed) placement.tasks.push({ id, x: x + left, y: y + headHeight });
    placement.edges.push(...edges);
    placement.stages.push({ key, name, x: left, width });
    placement.height = Math.max(placement.height, height + headHeight);
    placement.width = left + width;
    left += width + stageGap;
  }
  return placement;
}

function edgesOf(tasks: readonly PlanNode[]): GraphEdge[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return tasks.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((from) => ids.has(from)).map((from) => ({ from, to: id })),
  );
}

function placeLayers(
  ids: readonly string[],
  edges: readonly GraphEdge[],
): { placed: PlacedTask[]; width: number; height: number } {
  const { nodes } = layoutOf(ids, edges, { nodeWidth, nodeHeight, gapX, gapY });
  const layers = Map.groupBy(nodes, ({ layer }) => layer);
  const placed: PlacedTask[] = [];
  let x = 0;
  const rowsOf = (count: number): number => Math.ceil(count / Math.ceil(count / mostRows));
  const most = Math.max(0, ...[...layers.values()].map(({ length }) => rowsOf(length)));
  const height = most * (nodeHeight + gapY) - gapY;
  for (const [, layer] of [...layers].toSorted(([a], [b]) => a - b)) {
    const rows = rowsOf(layer.length);
    const top = ((most - rows) * (nodeHeight + gapY)) / 2;
    const columns = Math.ceil(layer.length / rows);
    for (const [index, { id }] of layer.toSorted((a, b) => a.y - b.y).entries())
      placed.push({
        id,
        x: x + Math.floor(index / rows) * (nodeWidth + gapY),
        y: top + (index % rows) * (nodeHeight + gapY),
      });
    x += columns * (nodeWidth + gapY) - gapY + gapX;
  }
  return { placed, width: Math.max(nodeWidth, x - gapX), height: Math.max(height, 0) };
}
