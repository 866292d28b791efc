import { useStoreApi } from "@xyflow/react";
import { useEffect, useState } from "react";
import { areaAround, isWithin, type Area } from "./area.ts";

/** The part of the graph whose nodes are in the document: what is in view and a margin, so that panning within it changes nothing. */
export const useArea = (): Area => {
  const flow = useStoreApi();
  const [area, setArea] = useState<Area>(() => areaAround(viewOf(flow.getState())));
  useEffect(() => {
    let current = area;
    const look = (): void => {
      const view = viewOf(flow.getState());
      if (isWithin(view, current)) return;
      current = areaAround(view);
      setArea(current);
    };
    look();
    return flow.subscribe(look);
    // Only the first area is taken from outside.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [flow]);
  return area;
};

interface FlowState {
  transform: [number, number, number];
  width: number;
  height: number;
}

/** Before the graph is measured it is taken to fill the window. */
const viewOf = ({ transform: [x, y, zoom], width, height }: FlowState): Area => ({
  left: -x / zoom,
  top: -y / zoom,
  right: (-x + (width || window.innerWidth)) / zoom,
  bottom: (-y + (height || window.innerHeight)) / zoom,
});
