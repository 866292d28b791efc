/** Tools for policies, what they find, and exceptions from them. */
import { Type } from "typebox";
import { environment, offset, pageSize, textInput, unitId, waitSeconds } from "./inputs.ts";
import { platformTool, urlPath, waitFor } from "./tool.ts";

const base = "/v1/computational-governance";
const policyId = textInput("Id of a policy or metric, as `list_policies` gives it.", 128);
const reason = textInput("For the record, in the user's words.", 2_048);
const descriptor = Type.Object({}, { additionalProperties: true, description: "A whole descriptor." });

/** The fields of a policy that a model may give; the operation checks them. */
const policy = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      "`{id?, name, description?, advice?, resourceType?, environments?, engine, spec}`; with engine `cel` the spec is `{assert}`: " +
      "true where `resource` is right, or a list of `{path, message}`.",
  },
);

export const listPolicies = platformTool({
  name: "list_policies",
  title: "List policies",
  description:
    "Lists policies and metrics with their status, what they are about and what to do about a violation.",
  readOnly: true,
  input: Type.Object({
    text: Type.Optional(textInput("Part of the name, description or a tag.", 255)),
    status: Type.Optional(Type.Enum(["draft", "grace", "enabled", "disabled"] as const)),
    resourceType: Type.Optional(textInput("E.g. `dataproduct`, `outputport`, `storage`.", 128)),
    limit: pageSize,
    offset,
  }),
  async run(caller, { resourceType, ...query }) {
    const { value } = await caller.get(`${base}/policies`, { ...query, "resource-type": resourceType });
    return { policies: value.data as unknown[], ...value.meta.pagination };
  },
});

export const getPolicy = platformTool({
  name: "get_policy",
  title: "Get a policy",
  description: "Shows one policy or metric: its expression, status, and what to do about a violation.",
  readOnly: true,
  input: Type.Object({ policyId }),
  run: async (caller, input) => (await caller.get(base + urlPath`/policies/${input.policyId}`)).value,
});

export const listPolicyVersions = platformTool({
  name: "list_policy_versions",
  title: "List the versions of a policy",
  description: "Shows what a policy said before, the newest first. Results name the version that made them.",
  readOnly: true,
  input: Type.Object({ policyId }),
  run: async (caller, input) =>
    (await caller.get(base + urlPath`/policies/${input.policyId}/versions`)).value,
});

export const createPolicy = platformTool({
  name: "create_policy",
  title: "Create a policy",
  description:
    "Creates a policy or metric as a draft, which blocks nobody. Test it first with `test_policy`.",
  readOnly: false,
  needs: "createPolicy",
  input: Type.Object({ policy }),
  run: async (caller, input) => (await caller.post(`${base}/policies`, { body: input.policy })).value,
});

export const setPolicyStatus = platformTool({
  name: "set_policy_status",
  title: "Change the status of a policy",
  description:
    "Enables a policy (violations block deployments), gives it grace until a date (they warn), disables it, or makes it a " +
    "draft again. Try it with `try_policy` before it is enabled.",
  readOnly: false,
  needs: "setPolicyStatus",
  input: Type.Object({
    policyId,
    status: Type.Enum(["draft", "grace", "enabled", "disabled"] as const),
    graceUntil: Type.Optional(textInput("The end of a grace, as in 2027-01-31T00:00:00Z.", 64)),
    reason,
  }),
  run: async (caller, { policyId: id, ...body }) =>
    (await caller.post(base + urlPath`/policies/${id}/status`, { body })).value,
});

export const testPolicy = platformTool({
  name: "test_policy",
  title: "Test a policy on a descriptor",
  description:
    "Evaluates one policy, stored or new, over a descriptor that you give, and stores nothing. `previous` is what it is compared with.",
  readOnly: true,
  input: Type.Object({
    policyId: Type.Optional(policyId),
    policy: Type.Optional(policy),
    descriptor,
    previous: Type.Optional(descriptor),
    environment,
  }),
  run: async (caller, body) => (await caller.post(`${base}/policies/test`, { body })).value,
});

export const tryPolicy = platformTool({
  name: "try_policy",
  title: "Try a policy on everything deployed",
  description:
    "Evaluates one policy, stored or new, over everything that is deployed in an environment, and reports who would be hit. " +
    "Stores no results. If the report is still pending, read it with `get_evaluation_report`.",
  readOnly: true,
  input: Type.Object({
    policyId: Type.Optional(policyId),
    policy: Type.Optional(policy),
    environment,
    waitSeconds,
  }),
  async run(caller, { waitSeconds: seconds, ...input }) {
    const body = { ...input, everything: true };
    const { value } = await caller.post(`${base}/policies/test`, { body });
    const path = base + urlPath`/evaluation-reports/${value.reportId}`;
    return waitFor<any>(caller, {
      seconds,
      isFinal: ({ status }) => status !== "pending",
      ask: async () => (await caller.get(path)).value,
    });
  },
});

export const getEvaluationReport = platformTool({
  name: "get_evaluation_report",
  title: "Get an evaluation report",
  description: "Shows an evaluation: pending, or completed with its results.",
  readOnly: true,
  input: Type.Object({ reportId: textInput("Id of the report.", 256) }),
  run: async (caller, { reportId }) =>
    (await caller.get(base + urlPath`/evaluation-reports/${reportId}`)).value,
});

export const getCompliance = platformTool({
  name: "get_compliance",
  title: "Get the compliance of a unit",
  description:
    "Shows what policies last found in a deployment unit and its components, with path, message and advice, and the history.",
  readOnly: true,
  input: Type.Object({ unitId, environment }),
  run: async (caller, input) =>
    (await caller.get(base + urlPath`/units/${input.unitId}/compliance`, { environment: input.environment }))
      .value,
});

export const whoMay = platformTool({
  name: "who_may",
  title: "Who may touch a unit",
  description:
    "Says whether the user may start, undeploy, roll back or resume a unit that was started there before, or remove its data: at once, " +
    "after somebody's approval, or not at all; and who may instead or who approves.",
  readOnly: true,
  input: Type.Object({
    unitId,
    environment,
    operations: Type.Array(Type.Enum(["start", "undeploy", "removeData", "rollBack", "resume"] as const), {
      minItems: 1,
      maxItems: 5,
      description: "All that is to be done to the unit.",
    }),
  }),
  run: async (caller, input) =>
    (
      await caller.get(base + urlPath`/units/${input.unitId}/who-may`, {
        environment: input.environment,
        operation: input.operations.join(","),
      })
    ).value,
});

export const listPolicyResults = platformTool({
  name: "list_policy_results",
  title: "List results of policies",
  description: "Lists what policies found, the latest first: by policy, resource, environment or outcome.",
  readOnly: true,
  input: Type.Object({
    policy: Type.Optional(policyId),
    resource: Type.Optional(textInput("Id of a unit or component.")),
    environment: Type.Optional(environment),
    outcome: Type.Optional(Type.Enum(["ok", "warning", "error", "failed"] as const)),
    limit: pageSize,
    cursor: Type.Optional(textInput("`next` of the answer before.", 4_096)),
  }),
  async run(caller, query) {
    const { value } = await caller.get(`${base}/results`, query);
    return { results: value.data as unknown[], ...value.meta.pagination };
  },
});

export const listExceptions = platformTool({
  name: "list_exceptions",
  title: "List exceptions",
  description:
    "Lists exceptions from policies, the newest first, with who asked, who decided and until when.",
  readOnly: true,
  input: Type.Object({
    policy: Type.Optional(policyId),
    resource: Type.Optional(textInput("Id of a unit or component.")),
    status: Type.Optional(Type.Enum(["pending", "approved", "rejected", "revoked", "expired"] as const)),
    limit: pageSize,
    offset,
  }),
  async run(caller, query) {
    const { value } = await caller.get(`${base}/exceptions`, query);
    return { exceptions: value.data as unknown[], ...value.meta.pagination };
  },
});

export const requestException = platformTool({
  name: "request_exception",
  title: "Request an exception",
  description:
    "Asks that resources are excused from a policy until a date. Somebody other than the user decides.",
  readOnly: false,
  needs: "requestException",
  input: Type.Object({
    policyId,
    resourceIds: Type.Array(textInput("Id of a unit or component."), { minItems: 1, maxItems: 100 }),
    environments: Type.Array(environment, { default: [], maxItems: 64 }),
    until: textInput("Its end, as in 2027-01-31T00:00:00Z.", 64),
    reason,
  }),
  run: async (caller, body) => (await caller.post(`${base}/exceptions`, { body })).value,
});

export const decideException = platformTool({
  name: "decide_exception",
  title: "Decide an exception",
  description: "Approves or rejects an exception that somebody other than the user has requested.",
  readOnly: false,
  needs: "decideException",
  input: Type.Object({
    exceptionId: textInput("Id of the exception.", 128),
    approve: Type.Boolean(),
    reason,
  }),
  run: async (caller, { exceptionId, ...body }) =>
    (await caller.post(base + urlPath`/exceptions/${exceptionId}/decision`, { body })).value,
});
