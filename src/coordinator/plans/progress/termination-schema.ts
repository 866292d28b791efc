/** Wire shapes of what a termination will do. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";

const effect = Type.Enum(["FINISHES", "STOPPED", "ABORTED", "NEVER_BEGUN"], {
  description:
    "FINISHES: runs to its own end. STOPPED: its adapter is asked to stop the work. ABORTED: its call is given up, " +
    "and what the adapter does with it is not known. NEVER_BEGUN: does not begin.",
});

const ids = (description: string) => Type.Array(Type.String(), { description });

const foreseenMode = Type.Object({
  mode: Type.Enum(["safe", "forced"]),
  summary: Type.String(),
  tasks: Type.Array(
    Type.Object({
      taskId: Type.String(),
      action: Type.String(),
      componentId: Nullable(Type.String()),
      status: Type.String({ description: "At present." }),
      effect,
      why: Type.String(),
    }),
    { description: "Those that have not ended, in the order of the plan." },
  ),
  mayBecomeCorrupt: ids("Components that the termination itself may leave CORRUPT."),
  untouched: ids("Components that keep the state that they had before the plan."),
});

export const terminationPreview = Type.Object({
  executionPlanId: Type.String(),
  status: Type.String({ description: "Of the plan, at present." }),
  requestedMode: Nullable(
    Type.Enum(["safe", "forced"], { description: "Of a termination that was asked for already." }),
  ),
  mayTerminate: Type.Boolean({ description: "Whether the caller may call `terminatePlan`." }),
  whoMay: Type.Array(Type.String(), { description: "Roles that may." }),
  done: ids("Components that the plan has changed already: that stays, nothing is rolled back."),
  modes: Type.Array(foreseenMode),
});
export type TerminationPreview = Static<typeof terminationPreview>;
