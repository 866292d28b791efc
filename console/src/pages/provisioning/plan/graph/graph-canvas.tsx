import { useStoreApi } from "@xyflow/react";
import { useEffect, useRef, type ReactNode } from "react";
import type { TaskStatusWord } from "../model/plan-nodes.ts";
import type { PlanStore } from "../model/plan-store.ts";
import type { TaskTiming } from "../queries.ts";
import { countOf } from "../../names.ts";
import classes from "./graph.module.css";
import { nodeHeight, nodeWidth, type Placement } from "./placement.ts";

interface GraphCanvasProps {
  store: PlanStore;
  placement: Placement;
  times: ReadonlyMap<string, TaskTiming>;
  /** Colours are read anew when it changes. */
  scheme: string;
}

const variables: Record<TaskStatusWord, string> = {
  COMPLETED: "--mantine-color-good-6",
  RUNNING: "--mantine-color-accent-5",
  TERMINATING: "--mantine-color-accent-5",
  FAILED: "--mantine-color-bad-5",
  SKIPPED: "--mantine-color-gray-5",
  TERMINATED: "--mantine-color-gray-5",
  WAITING: "--mantine-color-default-border",
};

/** All tasks as coloured fields: drawn when the view moves and when a task does, once a frame at most. */
export const GraphCanvas = ({ store, placement, times, scheme }: GraphCanvasProps): ReactNode => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const flow = useStoreApi();
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || !context) return;
    const style = getComputedStyle(element);
    const colours = new Map(
      Object.entries(variables).map(([status, name]) => [status, style.getPropertyValue(name)]),
    );
    const line = style.getPropertyValue("--mantine-color-default-border");
    const marked = style.getPropertyValue("--mantine-color-warn-5");
    const places = new Map(placement.tasks.map((task) => [task.id, task]));
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const { transform, width, height } = flow.getState();
      const [x, y, zoom] = transform;
      const ratio = window.devicePixelRatio;
      if (element.width !== width * ratio) element.width = width * ratio;
      if (element.height !== height * ratio) element.height = height * ratio;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, element.width, element.height);
      context.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio);
      context.lineWidth = 1 / zoom;
      context.strokeStyle = line;
      context.beginPath();
      for (const { from, to } of placement.edges) {
        const a = places.get(from);
        const b = places.get(to);
        if (a === undefined || b === undefined) continue;
        context.moveTo(a.x + nodeWidth, a.y + nodeHeight / 2);
        context.lineTo(b.x, b.y + nodeHeight / 2);
      }
      context.stroke();
      for (const { id, x: left, y: top } of placement.tasks) {
        context.fillStyle = colours.get(store.get(id)?.status ?? "WAITING") ?? line;
        context.fillRect(left, top, nodeWidth, nodeHeight);
        if (times.get(id)?.isCritical !== true) continue;
        context.fillStyle = marked;
        context.fillRect(left, top + nodeHeight, nodeWidth, 5);
      }
    };
    const ask = (): void => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    ask();
    const stops = [flow.subscribe(ask), store.nodes.subscribe(ask)];
    return () => {
      cancelAnimationFrame(frame);
      for (const stop of stops) stop();
    };
  }, [flow, placement, store, times, scheme]);
  return (
    <canvas
      ref={canvas}
      className={classes["canvas"]}
      role="img"
      aria-label={`${countOf(placement.tasks.length, "task")} of the plan, zoomed out`}
    />
  );
};
