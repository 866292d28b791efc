import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../../../api/client.ts";
import { call } from "../../../../api/error.ts";
import { keys } from "../../../../api/keys.ts";
import { useHasRole } from "../../../../api/session.ts";
import { StartRefusal, type Closing } from "../../preview/start-refusal.tsx";
import { useRefusal } from "../../preview/use-refusal.ts";
import { useNode, type LivePlan } from "../use-plan.ts";

interface ResumeButtonProps {
  plan: LivePlan;
  environment: string;
  /** The one thing to do on the page. */
  isMain?: boolean;
}

/** Starts what the plan did not complete, as a new plan, and goes there. */
export const ResumeButton = ({ plan, environment, isMain = false }: ResumeButtonProps): ReactNode => {
  const mayStart = useHasRole("developer", "operator", "admin", "service");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const root = useNode(plan.store, plan.planId);
  const resume = useMutation({
    mutationFn: (closing: Closing) =>
      call(
        api.coordinator.POST("/api/coordinator/v1/execution-plans/{token}/resume", {
          params: { path: { token: plan.planId }, query: closing },
        }),
      ),
    onSuccess: async (planId) => {
      void queries.invalidateQueries({ queryKey: keys.operations });
      await navigate({ to: "/plans/$planId", params: { planId } });
    },
  });
  const refusal = useRefusal(resume);
  const canResume = root?.status === "FAILED" || root?.status === "TERMINATED";
  if (!canResume) return null;
  return (
    <>
      <Button
        {...(isMain && { variant: "filled" })}
        loading={resume.isPending}
        disabled={!mayStart}
        title={mayStart ? undefined : "Developers and operators may resume a plan"}
        onClick={() => resume.mutate({})}
      >
        Resume
      </Button>
      <Modal opened={refusal !== null} onClose={resume.reset} title="It was not resumed">
        <StartRefusal
          error={refusal}
          what="resume the plan"
          environment={environment}
          isBusy={resume.isPending}
          onClosed={(closing) => resume.mutate(closing)}
        />
      </Modal>
    </>
  );
};
