/** Runs one step: its condition, its iterations, and the action in each of them. */
import type { Action, ActionContext } from "../../actions/action.ts";
import { builderFailure } from "../../errors.ts";
import { lengthOf } from "../../templates/engine/template-value.ts";
import type { TemplateStep } from "../../templates/template.ts";
import { hidden } from "../../../platform/lib/secrets/mask.ts";
import { maskMessage, type StepStatus } from "../task.ts";
import {
  callAction,
  checkActionInput,
  placeFailure,
  isTruthy,
  renderStep,
  type StepVariables,
} from "./step-context.ts";
import { dropSecrets } from "../secret-values.ts";
import { activeTraceparent } from "../../../platform/telemetry/spans.ts";
import { checkpointName, type Run } from "./journal.ts";
import type { Snapshot } from "./workspace.ts";
import { undoAttempt, undoPlace, untilUndone } from "./undo.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export interface StepOutcome {
  status: Exclude<StepStatus, "failed">;
  output: Record<string, unknown>;
  /** Of the workspace, when the step has changed it. */
  snapshot: Snapshot | null;
  /** Set for a step that a dry run skips; the log says so. */
  isLeftOut?: true;
}

export interface StepRun {
  index: number;
  step: TemplateStep;
  hasFailed: boolean;
  variables: StepVariables;
}

interface Iteration {
  key: string | null;
  /** For messages: `step "fetch", input of iteration 3`. */
  place: string;
  input: Record<string, unknown>;
  variables: StepVariables;
}

type Output = Record<string, unknown>;

export async function runStep(run: Run, current: StepRun): Promise<StepOutcome> {
  const { step } = current;
  const skipped: StepOutcome = { status: "skipped", output: {}, snapshot: null };
  if (step.each === undefined && !(await isWanted(run, current, current.variables))) return skipped;
  const action = run.actions.get(step.action);
  if (action === undefined) {
    const message = `Step "${step.id}" names the action ${step.action}, which this server does not have.`;
    throw builderFailure("BUILDER_STEP_FAILED", { message });
  }
  run.journal.log({
    message: maskMessage(run.mask, `Step “${step.name}” begins.`),
    stepId: step.id,
    status: "processing",
  });
  const iterations = await iterationsOf(run, current, action);
  if (run.isDryRun && !action.supportsDryRun) {
    const message = `${action.id} is left out of a dry run.`;
    run.journal.log({ message, stepId: step.id, status: "skipped" });
    return { status: "skipped", output: exampleOutput(action.output), snapshot: null, isLeftOut: true };
  }
  const outputs: Output[] = [];
  for (const [number, iteration] of iterations.entries()) {
    run.signal.throwIfAborted();
    outputs.push(await runIteration(run, current, { action, iteration, number }));
  }
  const output = step.each === undefined ? (outputs[0] ?? {}) : gather(outputs);
  const snapshot = leavesFiles(run, current, action) ? await snapshotOf(run, current) : null;
  return { status: "completed", output, snapshot };
}

/** Files are not needed after the last step; the workspace is only searched for secrets. */
const leavesFiles = (run: Run, { index }: StepRun, { onlyReads }: Action): boolean =>
  onlyReads !== true && (index < run.plan.steps.length - 1 || !run.mask.isEmpty);

async function isWanted(run: Run, current: StepRun, variables: StepVariables): Promise<boolean> {
  const { step, hasFailed } = current;
  if (step.if === undefined) return true;
  const place = `step "${step.id}", if`;
  return isTruthy(await renderStep(renderDeps(run), { input: step.if, variables, hasFailed, place }));
}

const renderDeps = (run: Run) => ({ renderer: run.deps.renderer, renderTimeoutMs: run.renderTimeoutMs });

/** All rendered inputs of a step together, which are in memory at once. */
const maxInputsLength = 32 * 1024 * 1024;

/** All inputs are rendered and validated before the first action is called. */
async function iterationsOf(run: Run, current: StepRun, action: Action): Promise<Iteration[]> {
  const { step, variables } = current;
  if (step.each === undefined) return [await iterationOf(run, current, { action, variables, key: null })];
  const { hasFailed } = current;
  const place = `step "${step.id}", each`;
  const each = await renderStep(renderDeps(run), { input: step.each, variables, hasFailed, place });
  if (typeof each !== "object" || each === null) {
    const message = `${place}: it is neither a list nor an object.`;
    throw builderFailure("BUILDER_STEP_FAILED", { message });
  }
  const entries = Object.entries(each);
  if (entries.length > run.limits.eachItems) {
    const message = `${place}: it has ${entries.length} items; ${run.limits.eachItems} is the most.`;
    throw builderFailure("BUILDER_STEP_FAILED", { message });
  }
  const wanted: Iteration[] = [];
  let length = 0;
  for (const [key, value] of entries) {
    run.signal.throwIfAborted();
    const own: StepVariables = { ...variables, each: { key, value } };
    if (await isWanted(run, current, own)) {
      const iteration = await iterationOf(run, current, { action, variables: own, key });
      length += lengthOf(iteration.input, maxInputsLength - length);
      if (length > maxInputsLength) {
        const message = `${place}: the inputs of its iterations are larger than ${maxInputsLength} characters.`;
        throw builderFailure("BUILDER_STEP_FAILED", { message });
      }
      wanted.push(iteration);
    } else {
      const message = maskMessage(run.mask, `The turn ${key} is skipped: the condition is not met.`);
      run.journal.log({ message, stepId: step.id });
    }
  }
  return wanted;
}

async function iterationOf(
  run: Run,
  { step, hasFailed }: StepRun,
  { action, variables, key }: { action: Action; variables: StepVariables; key: string | null },
): Promise<Iteration> {
  const suffix = key === null ? "" : ` of iteration ${key}`;
  const place = `step "${step.id}", input${suffix}`;
  const rendered = await renderStep(renderDeps(run), { input: step.input, variables, hasFailed, place });
  const input = isRecord(rendered) ? rendered : {};
  if (!run.isDryRun || action.supportsDryRun) checkActionInput(action, input, place);
  return { key, place, input, variables };
}

async function runIteration(
  run: Run,
  current: StepRun,
  { action, iteration, number }: { action: Action; iteration: Iteration; number: number },
): Promise<Output> {
  const { index, step } = current;
  const { key, place, input } = iteration;
  const checkpoint = `turn ${key ?? ""}`;
  const known = key === null ? undefined : run.checkpoints.get(checkpointName(index, checkpoint));
  if (known !== undefined) return known as Output;
  if (key !== null)
    run.journal.log({ message: maskMessage(run.mask, `Turn ${key} begins.`), stepId: step.id });
  const own = key === null ? "" : String(number);
  await untilUndone(run, undoPlace(index, own), step.id);
  const output: Output = {};
  const context = actionContext(run, { index, step, input, iteration: own, output });
  try {
    await callAction(action, context.value, run.limits.actionTimeoutMs);
  } catch (error) {
    throw placeFailure(error, { place, template: step.input, input });
  } finally {
    context.close();
  }
  const result = checkedOutput(run, output, action);
  if (key !== null) {
    const snapshot = await snapshotOf(run, current);
    await run.journal.recordCheckpoint({ step: index, key: checkpoint, value: result }, snapshot);
  }
  return result;
}

interface ContextParts {
  index: number;
  step: TemplateStep;
  input: Record<string, unknown>;
  iteration: string;
  output: Output;
}

/** Ignores all calls after `close`, because an action that timed out may still be running. */
function actionContext(run: Run, parts: ContextParts): { value: ActionContext; close: () => void } {
  const { index, step, input, iteration, output } = parts;
  let isOpen = true;
  const value: ActionContext = {
    deps: run.deps,
    input,
    workspace: run.workspace,
    say: (message, severity = "INFO") => {
      if (isOpen) run.journal.log({ message: maskMessage(run.mask, message), stepId: step.id }, severity);
    },
    output: (name, given) => {
      if (isOpen && given !== undefined) output[name] = given;
    },
    signal: run.signal,
    log: run.log,
    now: run.now,
    isDryRun: run.isDryRun,
    taskId: run.taskId,
    traceparent: activeTraceparent() ?? run.traceparent,
    stepId: step.id,
    secrets: run.secrets,
    user: run.user.ref,
    template: { entityRef: run.plan.entityRef, baseUrl: run.plan.baseUrl },
    parameters: run.parameters,
    environment: run.environment,
    edit: run.plan.edit,
    withoutSecrets: (values) => dropSecrets(values, holdsSecret(run)),
    async checkpoint<T>(key: string, work: () => Promise<T>): Promise<T> {
      const name = `${iteration}:${key}`;
      const known = run.checkpoints.get(checkpointName(index, name));
      if (known !== undefined) return known as T;
      const made = await work();
      await run.journal.recordCheckpoint(
        { step: index, key: name, value: run.mask.json(made) ?? null },
        null,
      );
      return made;
    },
    undo: (work) => undoAttempt(run, undoPlace(index, iteration), work),
  };
  return { value, close: () => (isOpen = false) };
}

/** A dry run has placeholders instead of secrets, which count as secrets too. */
const holdsSecret =
  ({ mask, isDryRun }: Run) =>
  (text: string): boolean =>
    mask.text(text) !== text || (isDryRun && text === hidden);

/** The output for later steps: plain JSON without secrets. */
function checkedOutput(run: Run, output: Output, action: Action): Output {
  const text = JSON.stringify(output);
  if (text.length > run.limits.outputBytes) {
    const message = `${action.id} puts out more than ${run.limits.outputBytes} bytes.`;
    throw builderFailure("BUILDER_STEP_FAILED", { message });
  }
  return run.mask.json(JSON.parse(text) as Output);
}

/** Each output of a step with `each` is the list of the outputs of its iterations. */
function gather(outputs: readonly Output[]): Output {
  const gathered: Record<string, unknown[]> = Object.create(null);
  for (const output of outputs) {
    for (const [name, value] of Object.entries(output)) (gathered[name] ??= []).push(value);
  }
  return { ...gathered };
}

/** Null also after a failure: a retry begins with the files of before the step that failed. */
async function snapshotOf(run: Run, { hasFailed }: StepRun): Promise<Snapshot | null> {
  const snapshot = await run.workspace.snapshot((path, bytes) => {
    if (!run.mask.finds(bytes)) return;
    const message = `The file ${path} holds a secret value; secrets may not be written into files.`;
    throw builderFailure("BUILDER_STEP_FAILED", { message });
  });
  return run.isDryRun || hasFailed ? null : snapshot;
}

const maxDepth = 5;

function exampleOutput(schema: object | undefined): Record<string, unknown> {
  const example = schema === undefined ? {} : exampleOf(schema, "output", 0);
  return typeof example === "object" && example !== null ? { ...example } : {};
}

function exampleOf(schema: unknown, name: string, depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth > maxDepth) return `<${name}>`;
  const { type, properties, items, default: given, enum: values } = schema as Record<string, unknown>;
  if (given !== undefined) return given;
  if (Array.isArray(values) && values.length > 0) return values[0];
  if (typeof properties === "object" && properties !== null) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, part]: [string, unknown]) => [
        key,
        exampleOf(part, key, depth + 1),
      ]),
    );
  }
  if (type === "array") return [exampleOf(items, name, depth + 1)];
  if (type === "number" || type === "integer") return 0;
  if (type === "boolean") return false;
  return type === "object" ? {} : `<${name}>`;
}
