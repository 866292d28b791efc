import type { ReactNode } from "react";
import { durationText } from "../../../../parts/values/text.ts";
import classes from "./tasks.module.css";

/** Marks above the bars: time since the plan was asked for. */
export const TimeAxis = ({ ticks, spanMs }: { ticks: readonly number[]; spanMs: number }): ReactNode => (
  <div className={classes["axis"]} aria-hidden>
    <div>
      {ticks.map((at) => (
        <span key={at} style={{ insetInlineStart: `${(at / spanMs) * 100}%` }}>
          {at === 0 ? "0" : durationText(at).replace(".0 ", " ")}
        </span>
      ))}
    </div>
  </div>
);
