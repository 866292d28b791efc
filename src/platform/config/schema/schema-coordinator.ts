/** Settings of the coordinator, and of the services that it notifies about its plans. */
import { Type } from "typebox";
import { count, entry, environmentName, httpUrl, section, text } from "./schema-parts.ts";
import { drift, unknownOutcomes, webhooks } from "./schema-watching.ts";

const ownLimit = (description: string, maximum = 1_000_000_000) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const ownTaskLimits = {
  callTimeoutMs: ownLimit("Time limit of one call."),
  taskTimeoutMs: ownLimit("Time limit of a task, including polling."),
  parallelTasks: ownLimit("Tasks at a time, of all processes together.", 10_000),
};

const environmentLimits = entry(
  {
    name: environmentName("The environment."),
    ...ownTaskLimits,
    operationTimeoutMs: ownLimit("Time limit of an operation."),
  },
  "Limits of one environment.",
);

const adapterLimits = entry(
  {
    id: text("Id of the tech adapter, as in `infrastructureTemplateId`.", { maxLength: 512 }),
    environment: Type.Optional(environmentName("Only in this environment; otherwise in all.")),
    ...ownTaskLimits,
  },
  "Limits of one tech adapter.",
);

export const coordinator = section(
  {
    execution: section(
      {
        parallelTasks: count(
          64,
          "Tasks at a time in this process; each process has its own count. From 8 on the last one is reserved for a unit that has no running task.",
          { maximum: 10_000 },
        ),
        parallelTasksPerAdapter: count(32, "Tasks at a time on one adapter, of all processes together.", {
          maximum: 10_000,
        }),
        environments: Type.Array(environmentLimits, {
          maxItems: 100,
          default: [],
          description: "Limits of one environment, where they differ.",
        }),
        adapters: Type.Array(adapterLimits, {
          maxItems: 1000,
          default: [],
          description: "Limits of one adapter, where they differ; they go before those of the environment.",
        }),
        callTimeoutMs: count(30_000, "Time limit of one call of an adapter."),
        taskTimeoutMs: count(3_600_000, "Time limit of a task, including polling."),
        operationTimeoutMs: count(86_400_000, "Time limit of an operation."),
        pollInitialMs: count(1000, "First wait between two polls."),
        pollFactor: Type.Number({
          minimum: 1,
          maximum: 10,
          default: 1.5,
          description: "Growth of that wait.",
        }),
        pollMaxMs: count(15_000, "Longest wait between two polls."),
        callAttempts: count(5, "Attempts of one call that reached its adapter, or may have.", {
          maximum: 100,
        }),
        retryDelayMs: count(500, "First wait before another attempt; it doubles with each."),
        connectRetryMs: count(
          60_000,
          "How long a call is tried again while no connection to its adapter can be made: as long as a pod takes to restart.",
        ),
        leaseMs: count(15_000, "How long a worker keeps a plan without renewing its heartbeat."),
        terminateGraceMs: count(30_000, "How long a forced termination waits for an adapter."),
        parallelPlans: count(200, "Plans at a time in this process.", { maximum: 10_000 }),
      },
      "How plans are executed.",
    ),
    accessSync: section(
      {
        url: Type.Optional(
          httpUrl("Address that receives who has access, after each change. Without it nothing is sent."),
        ),
        secret: Type.Optional(
          text("Secret that those calls are signed by, as a bearer token (HS256).", {
            "x-secret": true,
            "x-reload": true,
            "x-empty": "unset",
          }),
        ),
      },
      "Telling the platform of changed access.",
    ),
    queuedOperationsPerUnit: count(
      20,
      "Operations that may wait for their turn (`queue=true`) on one unit in one environment.",
      { maximum: 1000 },
    ),
    idempotencyKeyMs: count(86_400_000, "How long an Idempotency-Key is kept after its start."),
    rootProvisioning: Type.Boolean({
      default: true,
      description:
        "Whether a unit with an `infrastructureTemplateId` of its own is provisioned itself, before its components. Switched off, what was provisioned stays as it is.",
    }),
    rootPaths: Type.Boolean({
      default: false,
      description:
        "Whether the operations of the coordinator are served at the root of the address too (`/v1/…`, `/v2/…`), as its description has them.",
    }),
    validation: section(
      {
        syncTimeoutMs: count(
          30_000,
          "How long `POST /v1/validate` waits for the adapters. What they have not answered by then it reports as failed.",
          { maximum: 110_000 },
        ),
      },
      "Validation of descriptors.",
    ),
    unitIdPattern: Type.Optional(
      text("Pattern that deployment unit ids must match as a whole.", {
        format: "regular-expression",
        "x-expects": "a valid regular expression",
      }),
    ),
    webhooks,
    drift,
    unknownOutcomes,
    windows: section(
      {
        maxWaitHours: count(
          720,
          "How long a plan waits for its environment to open, or a queued start for what it can't begin without; after that it ends without having begun.",
          { maximum: 8_784 },
        ),
      },
      "Maintenance windows, which `PUT /v1/maintenance-windows/{environment}` sets.",
    ),
  },
  "The coordinator.",
);

export const adapters = section(
  {
    secret: Type.Optional(
      text("Secret that tech adapters know callers by.", {
        "x-secret": true,
        "x-reload": true,
        "x-env": "CORE_BACKEND_PLUGIN_AUTH_SECRET",
        "x-empty": "unset",
      }),
    ),
    formerSecret: Type.Optional(
      text(
        "The secret of before, while adapters go from it to the present one: a call that an adapter answers with 401 is repeated " +
          "once with it. Adapters of the kit take both.",
        {
          "x-secret": true,
          "x-reload": true,
          "x-env": "CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET",
          "x-empty": "unset",
        },
      ),
    ),
  },
  "Calls to tech adapters.",
);

const complianceService = {
  "base-url": httpUrl("Address of the service."),
  "is-enabled": Type.Boolean({ default: true, description: "Whether it is called." }),
  "is-blocking": Type.Boolean({ default: false, description: "Whether a failed call fails the plan." }),
  secret: Type.Optional(
    text("Secret that calls are signed by, as a bearer token (HS256).", {
      "x-secret": true,
      "x-reload": true,
      "x-empty": "unset",
    }),
  ),
};

export const compliantServices = section(
  {
    services: Type.Array(
      entry(
        {
          id: text("Identifier."),
          name: text("Name for people."),
          ...complianceService,
        },
        "One service.",
      ),
      { maxItems: 100, default: [], description: "Services that are notified of provisioning." },
    ),
  },
  "Services that are notified of provisioning.",
);

/** The section in which older releases named such a service. */
export const olderCoordinator = Type.Optional(
  entry(
    {
      "depends-on": Type.Optional(
        entry(
          {
            "marketplace-proxy": Type.Optional(
              entry(
                {
                  id: Type.Optional(text("Identifier.")),
                  name: Type.Optional(text("Name.")),
                  ...complianceService,
                },
                "Deprecated: becomes an entry of `marketplace-compliant-services.services`.",
              ),
            ),
          },
          "Deprecated.",
        ),
      ),
    },
    "Deprecated.",
  ),
);
