/**
 * The coordinator's codes and its error object. Codes are only ever added; docs/reference/errors.md lists
 * them.
 */
import type { Failure, Problem } from "../platform/errors/failure.ts";
import { failuresOf } from "../platform/errors/failures-of.ts";
import type { FailureBody } from "../platform/http/operation.ts";
import { errorObjectBody } from "../platform/http/responses/error-object.ts";

export const coordinatorErrors = {
  COORD_INVALID_DESCRIPTOR: {
    status: 400,
    meaning:
      "The descriptor, the target statuses or the environment can't be planned; each problem says where.",
    solution: "Correct all listed problems and send the request again.",
  },
  COORD_NOT_OWNER: {
    status: 403,
    meaning:
      "A rule about whose units the caller may touch refuses it; the answer names the rule and who may.",
    solution: "Ask one of those who may.",
  },
  COORD_OWNERS_CHANGED: {
    status: 409,
    meaning: "Another start gave the unit other owners while this request was checked.",
    solution: "Send the request again.",
  },
  COORD_CONFLICTING_TARGETS: {
    status: 400,
    meaning:
      "The target statuses contradict the dependencies: a component would be deployed without one that it needs.",
    solution: "Preview with autofill-target-status=true to see a plan that fits, and send its statuses.",
  },
  COORD_OPERATION_ACTIVE: {
    status: 409,
    meaning: "Another operation is active on this unit in this environment.",
    solution: "Wait for its end or terminate it, then start again.",
  },
  COORD_QUEUE_FULL: {
    status: 409,
    meaning: "The queue of this unit is full.",
    solution: "Wait until some have ended, or terminate those that are not needed any more.",
  },
  COORD_ENVIRONMENT_CLOSED: {
    status: 409,
    meaning:
      "A maintenance window lets nothing begin in the environment now; the message says which, and until when.",
    solution: "Start with when-closed=wait, or once it is open; an operator may override it with a reason.",
  },
  COORD_OVERRIDE_REASON: {
    status: 400,
    meaning: "An override of maintenance windows has no reason, or a reason is given without an override.",
    solution: "Send when-closed=override and override-reason together, or neither.",
  },
  COORD_OVERRIDE_FORBIDDEN: {
    status: 403,
    meaning: "Only operators may begin operations while the environment's windows let nothing begin.",
    solution: "Start with when-closed=wait, or ask an operator.",
  },
  COORD_INVALID_WINDOWS: {
    status: 400,
    meaning: "The maintenance windows can't be stored; each problem says where and why.",
    solution: "Correct all listed problems and send them again.",
  },
  COORD_WINDOWS_CHANGED: {
    status: 409,
    meaning: "Somebody has changed the windows since they were read.",
    solution: "Read the windows again, apply the change to those and name their version.",
  },
  COORD_IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: "Another request was sent under this Idempotency-Key.",
    solution: "Send what was sent first under this key, or use a fresh key for another request.",
  },
  COORD_TWO_PLAN_HASHES: {
    status: 400,
    meaning: "The header If-Match and the body's planHash name two different plans.",
    solution: "Send one of them, or the same in both.",
  },
  COORD_PLAN_MOVED: {
    status: 409,
    meaning: "The plan is no longer the one that was previewed; each problem says what has changed.",
    solution: "Preview again and start with the new planHash.",
  },
  COORD_DATA_PROTECTED: {
    status: 400,
    meaning: "Data of protected components would be removed, and the request does not name them.",
    solution: "Name them in confirmDataRemoval, or start with removeData false.",
  },
  COORD_NOT_RESUMABLE: {
    status: 400,
    meaning: "Only a provisioning plan that failed or was terminated can be resumed.",
    solution: "Resume a plan that is FAILED or TERMINATED, or start the operation again.",
  },
  COORD_UNIT_CHANGED: {
    status: 409,
    meaning: "A later plan has changed the unit, so the earlier one can't be resumed.",
    solution: "Resume the later plan if that failed, or start the operation again.",
  },
  COORD_OPERATION_NOT_FOUND: {
    status: 404,
    meaning: "There is no provisioning operation with that id.",
    solution: "List the unit's operations and name one that SUCCEEDED in this environment.",
  },
  COORD_OPERATION_UNFIT: {
    status: 400,
    meaning: "The unit can't be brought back to that operation; each problem says why.",
    solution: "List the unit's operations and name one that SUCCEEDED in this environment.",
  },
  COORD_PLAN_NOT_FOUND: {
    status: 404,
    meaning: "There is no execution plan with that token.",
    solution: "Use the token that the start operation answered.",
  },
  COORD_PLAN_UNFIT: {
    status: 400,
    meaning: "The plan that is to be compared is of another unit or environment, or has no descriptor.",
    solution: "List the unit's operations in that environment and name one of their plans.",
  },
  COORD_PLAN_FINISHED: {
    status: 400,
    meaning: "The plan has ended already, so there is nothing to terminate.",
    solution: "Read its status to see how it ended.",
  },
  COORD_NOTHING_ACTIVE: {
    status: 400,
    meaning: "No operation is active on this unit in this environment.",
    solution: "Read the unit's status to see how its last operation ended.",
  },
  COORD_UNKNOWN_ENVIRONMENT: {
    status: 400,
    meaning: "The environment is not configured.",
    solution: "Use one of the environments of mesh.builder.environments.",
  },
  COORD_SAME_ENVIRONMENT: {
    status: 400,
    meaning: "A unit was to be compared with itself in the same environment.",
    solution: "Name two environments.",
  },
  COORD_UNKNOWN_UNIT: {
    status: 400,
    meaning: "A deprecated operation names a unit on which no operation was ever started in the environment.",
    solution: "Check the id and the environment of the descriptor.",
  },
  COORD_UNKNOWN_TOKEN: {
    status: 400,
    meaning: "A deprecated operation names an execution plan that does not exist.",
    solution: "Use the token that the start operation answered.",
  },
  COORD_ADAPTER_NOT_FOUND: {
    status: 404,
    meaning: "There is no tech adapter with that id.",
    solution: "List the tech adapters, or create it first.",
  },
  COORD_DEPLOYMENT_NOT_FOUND: {
    status: 404,
    meaning: "The tech adapter has no deployment in that environment.",
    solution: "Put a deployment there first.",
  },
  COORD_ADAPTER_EXISTS: {
    status: 409,
    meaning: "A tech adapter with that id exists already.",
    solution: "Choose another id, or put a deployment for the one that exists.",
  },
  COORD_ADAPTER_IN_USE: {
    status: 409,
    meaning: "Components that are deployed with this adapter, or are about to be, would be left without it.",
    solution: "Undeploy them first.",
  },
  COORD_INVALID_ADAPTER: {
    status: 400,
    meaning: "The tech adapter record or its deployment is not valid.",
    solution: "Correct all listed problems and send the request again.",
  },
  COORD_COMPONENT_NOT_VALID: {
    status: 400,
    meaning: "The tech adapter of a component, or of the unit itself, does not accept its descriptor.",
    solution: "Mend what the adapter says is wrong, and validate again.",
  },
  COORD_VALIDATION_UNANSWERED: {
    status: 400,
    meaning:
      "A tech adapter had not answered its validation when coordinator.validation.syncTimeoutMs was over; the validation goes on.",
    solution: "Validate again, or start POST /v2/validate and read its status until it has ended.",
  },
  COORD_POLICIES_UNAVAILABLE: {
    status: 503,
    meaning:
      "Governance can't be reached, so nobody can say whether the unit keeps to the policies; nothing was touched.",
    solution:
      "Try again later; an operator can let plans go on with a warning by governance.onUnavailable: warn.",
  },
  COORD_POLICY_VIOLATED: {
    status: 400,
    meaning: "The unit or one of its components violates a policy that is enabled.",
    solution: "Mend what the policy says is wrong, or ask for an exception of the policy.",
  },
  COORD_INVALID_ACCESS_REQUEST: {
    status: 400,
    meaning: "The access request can't be carried out; each problem says why.",
    solution: "Correct all listed problems and send the request again.",
  },
  COORD_REQUEST_ID_USED: {
    status: 409,
    meaning: "An access request with that requestId, but with another content, was accepted before.",
    solution: "Give each access request an id of its own; repeat one only as it was.",
  },
  COORD_INVALID_REVERSE_PROVISIONING: {
    status: 400,
    meaning: "The reverse provisioning can't be started; each problem says why.",
    solution: "Correct all listed problems and send the request again.",
  },
  COORD_INVALID_CURSOR: {
    status: 400,
    meaning: "The cursor is not one that this list has returned.",
    solution: "Begin without one, and go on with the `next` of the page before.",
  },
  COORD_OUTCOME_NOT_FOUND: {
    status: 404,
    meaning: "The ledger of unknown outcomes has no entry for that task.",
    solution: "List the unknown outcomes; a task whose outcome is known is not among them.",
  },
  COORD_OUTCOME_DOES_NOT_FIT: {
    status: 400,
    meaning: "A task with that action cannot have this outcome.",
    solution: "Use DEPLOYED, NOT_DEPLOYED or CORRUPT for components, APPLIED or NOT_APPLIED for other tasks.",
  },
  COORD_OUTCOME_IN_PROGRESS: {
    status: 409,
    meaning:
      "The task's plan has not ended, or its call is being made again: the outcome may still be learned.",
    solution:
      "Wait for the end of the plan, or terminate it; a call that is made again ends within its time limit.",
  },
  COORD_OUTCOME_SETTLED: {
    status: 409,
    meaning: "The outcome has been settled already.",
    solution: "Read the entry; deploy or undeploy the component to change its state.",
  },
  COORD_OUTCOME_SUPERSEDED: {
    status: 409,
    meaning:
      "A later plan has changed the component, so the outcome of the earlier call says nothing of it now.",
    solution: "Read the component's status; the later plan has set it, and this entry needs no settlement.",
  },
  COORD_OUTCOME_NOT_POLLABLE: {
    status: 409,
    meaning: "The adapter gave no token for the call.",
    solution: "Check the target system and settle the outcome yourself.",
  },
  COORD_NOTHING_DEPLOYED: {
    status: 400,
    meaning: "Nothing of the unit is deployed in that environment, so there is nothing to check.",
    solution: "Deploy it first.",
  },
  COORD_DRIFT_CHECK_NOT_FOUND: {
    status: 404,
    meaning: "There is no drift check with that id; the last 100 of a unit are kept.",
    solution: "Use the id that the start of the check answered, or list the unit's checks.",
  },
  COORD_RECONCILE_NOT_FOUND: {
    status: 404,
    meaning: "There is no plan that repairs drift with that id; those that have ended are kept for 90 days.",
    solution: "List them, or take the id from what waits for you.",
  },
  COORD_RECONCILE_ENDED: {
    status: 409,
    meaning: "It does not wait for a decision: it was decided, has expired, or the unit has changed.",
    solution: "Read it to see how it ended; a later check that finds drift asks again.",
  },
  COORD_RECONCILE_BLOCKED: {
    status: 409,
    meaning: "The unit has unknown outcomes, so nobody can say what a repair would meet.",
    solution: "Settle the unknown outcomes of the unit first.",
  },
  COORD_RECONCILE_LIMIT: {
    status: 409,
    meaning: "As many repairs are under way as may be; the plan starts when one of them has ended.",
    solution: "Wait, or raise coordinator.drift.reconcile.parallelPlans.",
  },
  COORD_NOTICE_NOT_FOUND: {
    status: 404,
    meaning: "There is no notice with that id; those that have ended are kept for 30 days.",
    solution: "List the notices and use one of their ids.",
  },
  COORD_NOTICE_PENDING: {
    status: 409,
    meaning: "The notice waits to be sent already.",
    solution: "Read it to see when the next attempt is.",
  },
  COORD_CHANNEL_NOT_FOUND: {
    status: 404,
    meaning: "Neither a mail server nor a chat is configured under that name.",
    solution: "Use mail, or a name of notices.chats.",
  },
  COORD_INVALID_RECIPIENT: {
    status: 400,
    meaning: "A mail can't go to that recipient.",
    solution: "Give a reference such as user:default/ada, or an address such as ada@example.com.",
  },
  COORD_NOT_A_PERSON: {
    status: 409,
    meaning: "Only people choose what they are told about; a service gets no notices.",
    solution: "Call it as a user.",
  },
  COORD_WEBHOOK_NOT_FOUND: {
    status: 404,
    meaning: "No webhook with that name is configured.",
    solution: "Use a name of coordinator.webhooks.",
  },
  COORD_DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: "The webhook has no delivery with that id; they are kept for 30 days.",
    solution: "List the webhook's deliveries.",
  },
  COORD_DELIVERY_PENDING: {
    status: 409,
    meaning: "The event waits to be sent to the webhook already.",
    solution: "Wait; the list of deliveries says until when and why.",
  },
  COORD_INVALID_REPLAY: {
    status: 400,
    meaning: "The request does not say clearly which events to send again, or they are too many.",
    solution: "Give either deliveryId, or from and possibly to, of a time with at most 10,000 events.",
  },
} as const;

export const coordinatorErrorBody = (failure: Failure): FailureBody =>
  errorObjectBody(failure, coordinatorErrors);

export type CoordinatorCode = keyof typeof coordinatorErrors;

/**
 * A Failure with one of the codes above, from which its kind follows. The body has the solution of the code where no
 * problem has one.
 */
export const coordinatorFailure = failuresOf(coordinatorErrors, { hasSolution: false });

/** A Failure with all problems of a descriptor, or of a request with one. */
export const invalidDescriptor = (problems: Problem[]): Failure =>
  coordinatorFailure("COORD_INVALID_DESCRIPTOR", {
    message: `The request can't be planned: ${problems.length} problem${problems.length === 1 ? "" : "s"} found.`,
    problems,
  });

/** An invalid cursor of a list. */
export const brokenCursor = (text: string, where = "after"): Failure =>
  coordinatorFailure("COORD_INVALID_CURSOR", {
    message: "The cursor is none that a list has answered.",
    where,
    input: text,
  });

export function unknownPlan(token: string, where = "token"): Failure {
  const message = `There is no execution plan with the token ${token}.`;
  return coordinatorFailure("COORD_PLAN_NOT_FOUND", {
    message,
    where,
    solution: "Use the token that the start operation answered.",
    input: token,
  });
}
