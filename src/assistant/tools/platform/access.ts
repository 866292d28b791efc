/** Tools for access to data. */
import { Type } from "typebox";
import { environment, pageSize, unitId, textInput } from "./inputs.ts";
import { platformTool, urlPath } from "./tool.ts";

const statuses = [
  "PENDING",
  "APPROVED",
  "APPLYING",
  "GRANTED",
  "REVOKED",
  "REJECTED",
  "EXPIRED",
  "WITHDRAWN",
  "FAILED",
] as const;

export const listAccessRequests = platformTool({
  name: "list_access_requests",
  title: "List access requests",
  description:
    "Lists requests for access to data that the user may see, the latest first, with their status and what they wait for.",
  readOnly: true,
  input: Type.Object({
    status: Type.Optional(Type.Enum(statuses)),
    limit: pageSize,
    after: Type.Optional(textInput("`next` of the answer before.", 1024)),
  }),
  async run(caller, query) {
    const { value } = await caller.get("/api/builder/access-requests", query);
    return { requests: value.data as unknown[], ...value.meta.pagination };
  },
});

export const requestAccess = platformTool({
  name: "request_access",
  title: "Request access",
  description:
    "Asks that users and groups get access to output ports, or lose it: the user, groups of the user, or others if there is somebody to decide. Its owner decides; access is there once the status " +
    "of the request is GRANTED. Within one request of the user, the same one is opened once.",
  readOnly: false,
  needs: "requestAccess",
  input: Type.Object({
    operation: Type.Enum(["GRANT", "REVOKE"], { default: "GRANT" }),
    deploymentUnitId: unitId,
    environment,
    outputPortUrns: Type.Array(textInput("Id of a component or subcomponent."), {
      minItems: 1,
      maxItems: 50,
    }),
    identities: Type.Array(textInput("As user:… or group:….", 400), { minItems: 1, maxItems: 1_000 }),
    reason: Type.String({ maxLength: 2_000, default: "", description: "For those who decide." }),
    templateRef: Type.Optional(
      textInput("Reference of an access request template, where one is asked for.", 400),
    ),
    accessControlFields: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: "What that template asks for." }),
    ),
  }),
  async run(caller, body) {
    const headers = { "idempotency-key": caller.repeatKey(body) };
    return (await caller.post("/api/builder/access-requests", { body, headers })).value;
  },
});

export const decideApproval = platformTool({
  name: "decide_approval",
  title: "Decide about a request for access or a deployment",
  description:
    "Answers a hook that waits for the user: approves or refuses a request for access, or a deployment that needs an approval. " +
    "Nobody approves a deployment that they have started. Call it only after the user has said what to answer.",
  readOnly: false,
  needs: "answerHook",
  input: Type.Object({
    hookId: textInput("`id` of an entry of the kind HOOK in `list_waiting`.", 128),
    approve: Type.Boolean(),
    reason: Type.String({ maxLength: 2_000, default: "", description: "Why, for whoever has asked." }),
  }),
  run: async (caller, { hookId, approve, reason }) =>
    (
      await caller.post(urlPath`/api/builder/hooks/${hookId}/answer`, {
        body: { status: approve ? "OK" : "KO", reason },
      })
    ).value,
});
