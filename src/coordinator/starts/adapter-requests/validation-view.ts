/** Pure. The status of a validation from its rows: phase by phase, with one result for each component. */
import type { ValidationResult, ValidationStatusResponse } from "./schema.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { descriptorText } from "../../execution/tasks/descriptor-text.ts";
import { readUnit } from "../../planning/descriptor/unit.ts";
import type { ErrorObject } from "../../../platform/http/responses/error-object.ts";
import { coordinatorErrorBody, coordinatorErrors, invalidDescriptor } from "../../errors.ts";
import { findingsIn, textsOf } from "../../execution/policies/verdict.ts";
import { noErrors, policyErrors } from "../policies/schema.ts";
import type { PlanRequest, PlanStatus, TaskAction, TaskStatus } from "../../execution/types.ts";

export interface ValidationRequest extends PlanRequest {
  validation: {
    /** The descriptor as it came. */
    text: string;
    /** Problems that the coordinator itself found. */
    problems: Problem[];
    /** Absent in rows of older versions. */
    warnings?: Problem[];
  };
}

export interface ValidationTask {
  action: TaskAction;
  componentKey: string | null;
  status: TaskStatus;
  result: string | null;
  /** Problems that its adapter reported. */
  found: { problems?: unknown; solutions?: unknown; userMessage?: unknown } | null;
  /** Why it waits, when known. */
  waiting?: { reason?: string } | null;
}

export interface Validation {
  status: PlanStatus;
  unitKey: string | null;
  request: ValidationRequest;
  tasks: ValidationTask[];
}

type Phase = ValidationResult["results"][number];
type State = Phase["status"];

export function validationStatus({ status, unitKey, request, tasks }: Validation): ValidationStatusResponse {
  const { text, problems, warnings } = request.validation;
  const components = componentsOf(request);
  const results = tasks.map((task): Phase => {
    const isUnit = task.componentKey === unitKey;
    const place = isUnit ? undefined : components.get(task.componentKey ?? "");
    const state = stateOf(task.status);
    const descriptor = isUnit ? text : descriptorText(place?.descriptor ?? {});
    if (task.action === "POLICY_VALIDATE_COMPONENT") {
      return policyPhase({ descriptor, pointer: place?.pointer ?? "/descriptor" }, task, state);
    }
    return {
      validationPhaseKind: isUnit ? "DATAPRODUCT_VALIDATION_PHASE" : "COMPONENT_VALIDATION_PHASE",
      validatedDescriptor: descriptor,
      errors: state === "FAILED" ? errorsOf(task, place?.pointer ?? "/descriptor") : noErrors,
      status: state,
    };
  });
  return {
    status: stateOf(status),
    validationSummaryStatus: { results: [internalResult(text, problems, warnings), ...results] },
  };
}

/** Warnings are in `errors` too; the status says that they stop nothing. */
function policyPhase(
  { descriptor, pointer }: { descriptor: string; pointer: string },
  { found, result }: ValidationTask,
  state: State,
): Phase {
  const { problems, warnings, solutions } = findingsIn(found);
  const why =
    state === "FAILED" && problems.length === 0 ? [result ?? "The policies were not evaluated."] : problems;
  return {
    validationPhaseKind: "POLICY_COMPONENT_VALIDATION_PHASE",
    validatedDescriptor: descriptor,
    errors: policyErrors({ problems: why, warnings, solutions }, pointer),
    status: state,
  };
}

/**
 * The result for a caller that waited: phases without an answer yet are reported as failed, so that they are
 * not mistaken for passed.
 */
export function answeredWithin(waitedMs: number, token: string, validation: Validation): ValidationResult {
  const [internal, ...phases] = validationStatus(validation).validationSummaryStatus.results;
  const after = `${(waitedMs / 1000).toFixed(1)} s`;
  const answered = phases.map((phase, index): Phase => {
    if (phase.status !== "RUNNING") return phase;
    const reason = validation.tasks[index]?.waiting?.reason;
    const why = reason === undefined ? "" : ` (${reason})`;
    const who =
      phase.validationPhaseKind === "POLICY_COMPONENT_VALIDATION_PHASE" ? "Governance" : "The tech adapter";
    return { ...phase, status: "FAILED", errors: unanswered(who, `${after}${why}`, token) };
  });
  return { results: internal ? [internal, ...answered] : answered };
}

function unanswered(who: string, after: string, token: string): ErrorObject {
  const problem = `${who} had not answered after ${after}; the validation goes on under the token ${token}.`;
  return {
    errors: [problem],
    code: "COORD_VALIDATION_UNANSWERED",
    userMessage: problem,
    input: "",
    inputErrorField: "",
    moreInfo: {
      problems: [problem],
      solutions: [`Read GET /v2/validate/${token}/status until it has ended, or validate again.`],
    },
  };
}

export const internalResult = (text: string, problems: Problem[], warnings: Problem[] = []): Phase => ({
  ...(warnings.length > 0 ? { warnings: warnings.map(({ where, message }) => `${where}: ${message}`) } : {}),
  validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
  validatedDescriptor: text,
  errors:
    problems.length === 0
      ? noErrors
      : (coordinatorErrorBody(invalidDescriptor(problems)).body as ErrorObject),
  status: problems.length === 0 ? "COMPLETED" : "FAILED",
});

function stateOf(status: PlanStatus | TaskStatus): State {
  if (status === "COMPLETED") return "COMPLETED";
  return status === "FAILED" || status === "TERMINATED" || status === "SKIPPED" ? "FAILED" : "RUNNING";
}

interface Place {
  descriptor: object;
  pointer: string;
}

/** Components and subcomponents by key. */
function componentsOf({ descriptor }: PlanRequest): Map<string, Place> {
  const { unit } = readUnit(descriptor ?? {});
  const components = (unit?.components ?? []).flatMap((component) => [component, ...component.subcomponents]);
  return new Map(components.map((component) => [component.key, component]));
}

function errorsOf({ result, found }: ValidationTask, pointer: string): ErrorObject {
  const why = result ?? "The validation did not come to its end.";
  const problems = textsOf(found?.problems);
  const errors = problems.length > 0 ? problems : [why];
  const solutions = textsOf(found?.solutions);
  return {
    errors,
    code: "COORD_COMPONENT_NOT_VALID",
    userMessage: typeof found?.userMessage === "string" ? found.userMessage : errors.join(" "),
    input: "",
    inputErrorField: pointer,
    moreInfo: { problems: errors, solutions: solutions.length > 0 ? solutions : [usualSolution] },
  };
}

const usualSolution = coordinatorErrors.COORD_COMPONENT_NOT_VALID.solution;
