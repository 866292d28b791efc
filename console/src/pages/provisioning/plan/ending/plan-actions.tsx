import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useHasRole } from "../../../../api/session.ts";
import { useNode, useNodes, type LivePlan } from "../use-plan.ts";
import { ResumeButton } from "./resume-button.tsx";
import { RollBackDialog } from "./roll-back-dialog.tsx";
import { TerminateDialog } from "./terminate-dialog.tsx";

/** What can be done with the plan in its state. */
export const PlanActions = ({ plan, environment }: { plan: LivePlan; environment: string }): ReactNode => {
  const [open, setOpen] = useState<"terminate" | "roll back">();
  const mayTerminate = useHasRole("operator", "admin", "service");
  const mayStart = useHasRole("developer", "operator", "admin", "service");
  const root = useNode(plan.store, plan.planId);
  // The first failed call has the button beside it.
  const hasFailure = useNodes(plan.store).some(({ kind, status }) => kind === "task" && status === "FAILED");
  const close = (): void => setOpen(undefined);
  const unitId = plan.operation?.operation.deploymentUnitId;
  return (
    <>
      {plan.isEnded && !hasFailure && <ResumeButton plan={plan} environment={environment} isMain />}
      {plan.isEnded && mayStart && unitId !== undefined && (
        <Button onClick={() => setOpen("roll back")}>Roll back…</Button>
      )}
      {!plan.isEnded && root !== undefined && (
        <Button
          color="bad"
          variant="outline"
          disabled={!mayTerminate}
          title={mayTerminate ? undefined : "Operators may terminate a plan"}
          onClick={() => setOpen("terminate")}
        >
          {root.status === "TERMINATING" ? "Terminate by force…" : "Terminate…"}
        </Button>
      )}
      <TerminateDialog planId={plan.planId} opened={open === "terminate"} onClose={close} />
      {unitId !== undefined && (
        <RollBackDialog
          unitId={unitId}
          environment={environment}
          planId={plan.planId}
          opened={open === "roll back"}
          onClose={close}
        />
      )}
    </>
  );
};
