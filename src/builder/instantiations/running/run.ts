/** Runs a task from its first unrecorded step to its end. Its journal records the progress. */
import type { Json } from "../../templates/engine/template-value.ts";
import { runsAfterFailure, type TemplateStep } from "../../templates/template.ts";
import { maskMessage, type TaskEnd, type StepRecord } from "../task.ts";
import { userMessageOf, isTruthy, renderStep, type StepVariables } from "./step-context.ts";
import { runStep, type StepOutcome } from "./run-step.ts";
import type { Run } from "./journal.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import { inSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";

/**
 * Rejects only when the signal is aborted or the journal cannot be written; a failed step is a normal end.
 */
export async function runTask(run: Run): Promise<TaskEnd> {
  const outputs: Record<string, { output: Record<string, unknown> }> = Object.create(null);
  let error: string | undefined;
  for (const [index, step] of run.plan.steps.entries()) {
    run.signal.throwIfAborted();
    const known = run.recorded.get(index);
    if (known === undefined && error !== undefined && !runsAfterFailure(step)) continue;
    const outcome =
      known ?? (await attemptStep(run, { index, step, hasFailed: error !== undefined, outputs }));
    if (outcome.status === "failed") error ??= outcome.error ?? `Step "${step.id}" failed.`;
    outputs[step.id] = { output: outcome.output };
  }
  if (error !== undefined) return { status: "failed", output: {}, error };
  return renderOutput(run, outputs);
}

interface Attempt {
  index: number;
  step: TemplateStep;
  hasFailed: boolean;
  outputs: StepVariables;
}

function attemptStep(run: Run, attempt: Attempt): Promise<StepRecord> {
  const { id, action } = attempt.step;
  const start: SpanStart<"step"> = {
    name: `step ${action}`,
    parent: run.traceparent,
    isError: () => !run.signal.aborted,
    attributes: () => ({
      "plinth.instantiation.id": run.isDryRun ? null : run.taskId,
      "plinth.step.id": id,
      "plinth.step.action": action,
    }),
  };
  return inSpan("step", start, async (span) => {
    const record = await recordStep(run, attempt);
    span?.set({ "plinth.step.status": record.status });
    if (record.status === "failed") span?.fail(record.status);
    return record;
  });
}

async function recordStep(run: Run, attempt: Attempt): Promise<StepRecord> {
  const { index, step } = attempt;
  const startedAt = run.now();
  const at = { stepId: step.id };
  let outcome: StepOutcome;
  try {
    const variables = variablesOf(run, attempt.outputs);
    outcome = await runStep(run, { index, step, hasFailed: attempt.hasFailed, variables });
  } catch (error) {
    if (run.signal.aborted) throw error;
    const reported = userMessageOf(error);
    if (reported === null) {
      const text = maskMessage(
        run.mask,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      run.log.error(
        { taskId: run.taskId, step: step.id, action: step.action, reason: text },
        "an action is defect",
      );
    }
    const message = maskMessage(
      run.mask,
      reported ?? `${step.action} failed unexpectedly; the server's log has the details.`,
    );
    run.journal.log({ message, ...at, status: "failed" }, "ERROR");
    const record = {
      step: index,
      status: "failed",
      output: {},
      error: message,
      startedAt,
      endedAt: run.now(),
    } as const;
    await run.journal.recordStep(record, null, false);
    return record;
  }
  const { status, output, snapshot, isLeftOut = false } = outcome;
  const message =
    status === "skipped"
      ? `Step “${step.name}” is skipped: its condition is not met.`
      : `Step “${step.name}” is done.`;
  if (!isLeftOut) run.journal.log({ message: maskMessage(run.mask, message), ...at, status });
  const record: StepRecord = { step: index, status, output, startedAt, endedAt: run.now() };
  const canWait = status === "skipped" || run.actions.get(step.action)?.staysInWorkspace === true;
  await run.journal.recordStep(record, snapshot, canWait);
  return record;
}

function variablesOf(run: Run, outputs: StepVariables): StepVariables {
  return {
    parameters: run.parameters,
    environment: run.environment,
    steps: { ...outputs },
    secrets: run.secrets,
    user: run.user,
    context: { task: { id: run.taskId } },
  };
}

/** Links and texts of an output may have an `if`, which is evaluated here and not sent to clients. */
function wantedItems(output: Record<string, unknown>): Record<string, unknown> {
  const wanted = { ...output };
  for (const key of ["links", "text"]) {
    const items = wanted[key];
    if (!Array.isArray(items)) continue;
    wanted[key] = items.flatMap((item: unknown) => {
      if (!isRecord(item) || !Object.hasOwn(item, "if")) return [item];
      const { if: condition, ...rest } = item;
      return isTruthy(condition as Json) ? [rest] : [];
    });
  }
  return wanted;
}

async function renderOutput(run: Run, outputs: StepVariables): Promise<TaskEnd> {
  const { secrets: _secrets, ...variables } = variablesOf(run, outputs);
  try {
    const request = { input: run.plan.output, variables, hasFailed: false, place: "output" };
    const rendered = (await renderStep({ ...run, renderer: run.deps.renderer }, request)) ?? {};
    const output = wantedItems(run.mask.json(rendered) as Record<string, unknown>);
    if (JSON.stringify(output).length > run.limits.outputBytes) {
      return {
        status: "failed",
        output: {},
        error: `The output is longer than ${run.limits.outputBytes} bytes.`,
      };
    }
    return { status: "completed", output };
  } catch (error) {
    const message = userMessageOf(error);
    if (message === null) throw error;
    return { status: "failed", output: {}, error: maskMessage(run.mask, message) };
  }
}
