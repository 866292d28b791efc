import type { Failure, FailureKind, Problem } from "../platform/errors/failure.ts";
import { failuresOf } from "../platform/errors/failures-of.ts";
import { statusOf } from "../platform/http/errors.ts";
import { parameterErrors, type ParameterError } from "./templates/parameter-errors.ts";

/** Every code of the builder. Codes are stable: add, never rename. */
export const builderErrors = {
  BUILDER_INVALID_UPLOAD: {
    status: 400,
    meaning: "The multipart form of a descriptor build is not as described; `problems` names each part.",
    solution:
      "Send the fields `archive` (one .tar.gz or .tgz file) and `environment` as multipart/form-data.",
  },
  BUILDER_INVALID_ARCHIVE: {
    status: 400,
    meaning: "No descriptor can be made from the archive or an entity in it; `problems` lists every problem.",
    solution: "Correct the files that are named and upload the archive again.",
  },
  BUILDER_ARCHIVE_TOO_LARGE: {
    status: 413,
    meaning: "The uploaded archive exceeds the configured size.",
    solution: "Leave out what is not an entity file, or raise mesh.builder.archive.maxUploadBytes.",
  },
  BUILDER_PAGE_NOT_FOUND: {
    status: 404,
    meaning: "There is no such page with a custom view, or the page is turned off.",
    solution: "Use one of the pages that the message names.",
  },
  BUILDER_VIEW_CHANGED: {
    status: 409,
    meaning: "A custom view was changed by somebody else since the revision that was given.",
    solution: "Read it again, make the change there, and send it with the new revision.",
  },
  BUILDER_UNKNOWN_ENVIRONMENT: {
    status: 400,
    meaning: "The environment is not configured.",
    solution: "Name one of mesh.builder.environments.",
  },
  BUILDER_INVALID_ADAPTER: {
    status: 400,
    meaning: "The registration of a tech adapter is not valid; `problems` names each field.",
    solution: "Correct the fields that are named and register again.",
  },
  BUILDER_ACTION_INPUT: {
    status: 400,
    meaning:
      "The input of an action in a template, once its expressions are rendered, does not match the action's schema.",
    solution: "Correct the step of the template, or the values that it is given.",
  },
  BUILDER_HOOK_NOT_FOUND: {
    status: 404,
    meaning:
      "There is no hook with that id: it was never issued, is forged, or its action was deleted. A third party uses the id that ends its respondToUrl, people the hookId of the list.",
    solution: "Answer to the respondToUrl as it was given; list the hooks to see which there are.",
  },
  BUILDER_HOOK_ENDED: {
    status: 409,
    meaning: "The hook is not pending any more: it was answered, has expired, or its action has ended.",
    solution: "Nothing needs to be done; the access request shows the outcome.",
  },
  BUILDER_HOOK_NOT_YOURS: {
    status: 403,
    meaning:
      "A notification is answered by the owner of the resource or an operator, a remote hook by its third party or an operator.",
    solution: "Ask one of them to answer it.",
  },
  BUILDER_NOBODY_DECIDES: {
    status: 409,
    meaning: "No hook is configured for the action, so nobody could approve it.",
    solution: "Configure actionHandlers.<action>.hooks, or set approveWithoutHooks.",
  },
  BUILDER_INVALID_ACCESS_REQUEST: {
    status: 400,
    meaning:
      "The access request can't be opened; `problems` names each port, identity and field that is wrong.",
    solution: "Correct what is named and send the request again.",
  },
  BUILDER_ACCESS_REQUEST_NOT_FOUND: {
    status: 404,
    meaning: "There is no access request with that id, or it is none that the caller may see.",
    solution: "List the access requests.",
  },
  BUILDER_ACCESS_FOR_OTHERS: {
    status: 403,
    meaning:
      "Access for others than the requester and their groups needs a decision, and no hook is configured that would make one.",
    solution: "Ask for yourself or a group of yours, or configure actionHandlers.accessRequest.hooks.",
  },
  BUILDER_ACCESS_REQUEST_NOT_YOURS: {
    status: 403,
    meaning: "Only the requester of an access request and operators may change it.",
    solution: "Ask one of them.",
  },
  BUILDER_ACCESS_REQUEST_STATUS: {
    status: 409,
    meaning: "The access request is not in the status that the operation needs.",
    solution: "Read the access request: withdraw it while it is PENDING, try it again once it has FAILED.",
  },
  BUILDER_ACCESS_APPROVAL_OVER: {
    status: 409,
    meaning:
      "The approval of the access request does not count any more: a later request revokes the same access, or it is more than 7 days old.",
    solution: "Open a new access request; those who decide are asked again.",
  },
  BUILDER_TOO_MANY_ACCESS_REQUESTS: {
    status: 409,
    meaning: "The caller has reached the limit of access requests in progress.",
    solution: "Wait until some have ended, or withdraw those that are not needed any more.",
  },
  BUILDER_IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: "Another request was sent under this Idempotency-Key.",
    solution: "Send what was sent first under this key, or use a fresh key for another request.",
  },
  BUILDER_INVALID_CURSOR: {
    status: 400,
    meaning: "The cursor is not one that this list has returned.",
    solution: "Begin without one, and go on with the `next` of the page before.",
  },
  BUILDER_ACTION_FAILED: {
    status: 502,
    meaning: "An action of a module that the operator installed has failed; the message quotes its error.",
    solution: "Correct what the message names, or ask the operator about the module, then retry.",
  },
  BUILDER_FETCH_FAILED: {
    status: 502,
    meaning: "The content that a step fetches cannot be read from its `url`.",
    solution: "Check the address and the credentials for its host, then retry the instantiation.",
  },
  BUILDER_FETCH_TOO_LARGE: {
    status: 413,
    meaning: "The content that a step fetches has more files or bytes than an action may fetch.",
    solution: "Fetch a smaller folder.",
  },
  BUILDER_RENDER_FAILED: {
    status: 400,
    meaning: "Files of a skeleton cannot be rendered; `problems` names each with line and column.",
    solution: "Correct the expressions in the files that are named.",
  },
  BUILDER_REPOSITORY_EXISTS: {
    status: 409,
    meaning:
      "The repository that a step would create exists already and was not created by this instantiation.",
    solution: "Choose another name, or remove the repository when nobody needs it.",
  },
  BUILDER_REPOSITORY_NOT_FOUND: {
    status: 404,
    meaning: "No repository has this name.",
    solution: "Take the address from the output of the step that published it.",
  },
  BUILDER_GIT_REQUEST: {
    status: 400,
    meaning: "The request is not one that a git client sends.",
    solution: "Clone with `git clone`.",
  },
  BUILDER_BRANCH_EXISTS: {
    status: 409,
    meaning: "The branch that a step would create exists already and has other commits.",
    solution: "Choose another `branchName`, or have the step replace it with `update: true`.",
  },
  BUILDER_GIT_FAILED: {
    status: 502,
    meaning: "A git command of a step failed; the message quotes the end of its output.",
    solution: "Check the address, the credentials for its host and the branch, then retry the instantiation.",
  },
  BUILDER_HOST_FAILED: {
    status: 502,
    meaning: "A git host refused a call of its API.",
    solution: "Check the token for the host under integrations, and its permissions.",
  },
  BUILDER_STEP_FAILED: {
    status: 400,
    meaning: "A step of a template could not be done; the message names the step and the place in it.",
    solution: "Correct the template or the values, then retry the task: it goes on from this step.",
  },
  BUILDER_INVALID_INSTANTIATION: {
    status: 400,
    meaning:
      "The values, secrets or overrides do not match the template's parameters; `problems` names each field.",
    solution: "Correct the fields that are named and send the request again.",
  },
  BUILDER_INVALID_TEMPLATE: {
    status: 400,
    meaning: "The template can't be run; `problems` names each place in it.",
    solution:
      "Correct the template where `problems` points to, refresh it in the catalogue, and start again.",
  },
  BUILDER_UNKNOWN_TEMPLATE: {
    status: 404,
    meaning: "The catalogue has no template of that name.",
    solution: "Look at the templates of the catalogue; register the location of the one that is missing.",
  },
  BUILDER_UNKNOWN_TASK: {
    status: 404,
    meaning: "There is no instantiation task with that id, or it has been deleted because of its age.",
    solution: "Use the id that the start of the instantiation has answered.",
  },
  BUILDER_NOT_YOUR_TASK: {
    status: 403,
    meaning: "The instantiation task was started by somebody else.",
    solution: "Ask who started it, or an operator.",
  },
  BUILDER_TASK_STATE: {
    status: 409,
    meaning:
      "The instantiation task is in a state in which this can't be done: it has ended already, or still runs.",
    solution:
      "Read its status. A task that runs can be cancelled, one that failed or was cancelled can be retried.",
  },
  BUILDER_BUSY: {
    status: 503,
    meaning: "The server has reached its limit of descriptors that are built at once.",
    solution: "Try again after the time in the Retry-After header.",
  },
  BUILDER_INVALID_LOCATION: {
    status: 400,
    meaning:
      "A location cannot be read, or its entities are not valid; `problems` lists every problem, with " +
      "file and line.",
    solution: "Correct the files that are named, or the target, and register the location again.",
  },
  BUILDER_LOCATION_NOT_FOUND: {
    status: 404,
    meaning: "The catalogue has no such location.",
    solution: "List the locations; it may have been unregistered.",
  },
  BUILDER_LOCATION_EXISTS: {
    status: 409,
    meaning: "A location with this type and target is registered already.",
    solution: "Refresh it instead, or unregister it first.",
  },
  BUILDER_ENTITY_NOT_FOUND: {
    status: 404,
    meaning: "The catalogue has no such entity.",
    solution: "Look it up in the list of entities; its location may have been unregistered.",
  },
  BUILDER_INVALID_ENTITY: {
    status: 400,
    meaning: "A document is not a valid entity; `problems` lists what is wrong with it.",
    solution: "Correct the fields that are named.",
  },
  BUILDER_INVALID_QUERY: {
    status: 400,
    meaning: "A filter, a cursor or an order of a list of entities is not as described.",
    solution: "Correct the parameter that is named; take cursors from an earlier answer as they are.",
  },
  BUILDER_UNKNOWN_COMPLETION: {
    status: 400,
    meaning:
      "The provider has no completions for that resource, or the context lacks a parameter that they need.",
    solution: "Name a provider and a resource that the message lists, with the parameters that it asks for.",
  },
  BUILDER_NOT_EDITABLE: {
    status: 400,
    meaning:
      "The entity can't be edited by a form: it is not a system or component, its files are not in a git repository, or they can't be read.",
    solution: "Change the files where they are; `problems` names what is wrong with them.",
  },
  BUILDER_ENTITY_NOT_YOURS: {
    status: 403,
    meaning: "An entity is changed by its owner or an operator only.",
    solution: "Ask one of them to make the change.",
  },
  BUILDER_EDIT_CONFLICT: {
    status: 409,
    meaning: "The branch of the entity has another commit than the one that the edit was made from.",
    solution: "Open the form again, which shows what the entity has now, and make the change once more.",
  },
  BUILDER_EDIT_REFUSED: {
    status: 400,
    meaning: "The files that the edit produced do not describe the same entity; nothing was published.",
    solution:
      "Correct the values, the edit template, or what the adapter answers; `problems` names the places.",
  },
  BUILDER_INVALID_PREVIEW: {
    status: 400,
    meaning:
      "No descriptor can be made from the entities of the system in the catalogue; `problems` lists every problem.",
    solution: "Correct the entities that are named in their locations and refresh them.",
  },
} as const;

export type BuilderCode = keyof typeof builderErrors;

/** A Failure with one of the codes above; its kind and solution follow from the code. */
export const builderFailure = failuresOf(builderErrors);

/** Names in the error body that clients of this interface expect. */
const nameOfKind: Record<FailureKind, string> = {
  invalid: "InputError",
  unauthenticated: "AuthenticationError",
  forbidden: "NotAllowedError",
  not_found: "NotFoundError",
  conflict: "ConflictError",
  limit: "PayloadTooLargeError",
  upstream: "ResponseError",
  unavailable: "ServiceUnavailableError",
  internal: "InternalServerError",
};

/** Names of statuses that share their kind with another. */
const nameOfStatus: Record<number, string> = {
  405: "MethodNotAllowedError",
  408: "RequestTimeoutError",
  415: "UnsupportedMediaTypeError",
  429: "TooManyRequestsError",
};

export interface BuilderErrorBody {
  error: { name: string; message: string; code: string; problems?: Problem[] };
  request: { method: string; url: string };
  response: { statusCode: number };
  /** Only for clients of the Backstage scaffolder: the problems of the parameters of a template. */
  errors?: ParameterError[];
}

const invalidParameters: BuilderCode = "BUILDER_INVALID_INSTANTIATION";

/** The body of every failure of the builder. */
export const toBody = (
  failure: Failure,
  request: { method: string; url: string },
): { status: number; body: BuilderErrorBody } => {
  const status = statusOf(failure);
  // Only these fields: a problem of an input may contain the invalid value, which may be a secret.
  const problems = failure.problems.map(({ where, message, solution }) =>
    solution === undefined ? { where, message } : { where, message, solution },
  );
  const error = {
    name: nameOfStatus[status] ?? nameOfKind[failure.kind],
    message: failure.message,
    code: failure.code,
  };
  const isScaffolder = request.url.startsWith("/api/scaffolder/");
  const errors = isScaffolder && failure.code === invalidParameters ? parameterErrors(problems) : [];
  return {
    status,
    body: {
      ...(errors.length === 0 ? {} : { errors }),
      error: problems.length === 0 ? error : { ...error, problems },
      request: { method: request.method, url: request.url },
      response: { statusCode: status },
    },
  };
};
