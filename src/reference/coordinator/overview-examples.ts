/** Examples of what shows units, plans and adapters at a glance, each a whole answer. */
const unit = "urn:dmb:dp:fleet:positions:0";
const component = "urn:dmb:cmp:fleet:positions:0:latest-positions";
const plan = "0b2f6c1e-5d0a-4f4e-9a5c-2f8f4a1d7c11";
const task = `provision:${component}`;
const adapterId = "urn:dmb:itm:postgresql-view:1";
const started = "2026-11-22T09:30:00.000Z";
const ended = "2026-11-22T09:30:04.250Z";

const health = {
  adapterId,
  name: "PostgreSQL views",
  environment: "development",
  enabled: true,
  health: "ANSWERING",
  since: started,
  reason: "It answers.",
  calls: { completed: 41, failed: 2, unanswered: 0, terminated: 0 },
  atWork: 1,
  medianMs: 3_900,
  p90Ms: 6_200,
  lastCallAt: ended,
  lastError: null,
};
const page = { pagination: { limit: 20, next: null } };
const remaining = { medianMs: 1_250, p90Ms: 4_100, reason: null };
const terminating = (mode: string, effect: string, summary: string, why: string) => ({
  mode,
  summary,
  tasks: [{ taskId: task, action: "PROVISION", componentId: component, status: "RUNNING", effect, why }],
  mayBecomeCorrupt: mode === "forced" ? [component] : [],
  untouched: [],
});
const terminationPreview = {
  executionPlanId: plan,
  status: "RUNNING",
  requestedMode: null,
  mayTerminate: true,
  whoMay: ["operator", "service", "admin"],
  done: [],
  modes: [
    terminating(
      "safe",
      "FINISHES",
      "1 task at work will finish; 0 tasks will not begin.",
      "It is at work and runs to its own end, at the latest the time limit of the operation.",
    ),
    terminating(
      "forced",
      "STOPPED",
      "1 task will be stopped by the adapters, 0 tasks cut off; 0 tasks will not begin.",
      "Its adapter is asked to stop, and has the grace time to do so; only where it completes after all is it done.",
    ),
  ],
};

export const overviewExamples: Record<string, unknown> = {
  "getUnitEnvironments 200": {
    deploymentUnitId: unit,
    name: "positions",
    kind: "dataproduct",
    owner: "group:default/fleet",
    domain: "fleet",
    environments: [
      {
        environment: "development",
        known: true,
        status: "DEPLOYED",
        descriptorVersion: "1.2.0",
        since: ended,
        executionPlanId: plan,
        executionPlanStatus: "COMPLETED",
        active: null,
        queuedOperations: 0,
        drift: {
          driftCheckId: "c3f0e1d2-8a54-4f6b-8f0c-6f1f9d2b7a01",
          result: "NO_DRIFT",
          checkedAt: "2026-11-23T04:00:02.000Z",
          isOutdated: false,
        },
        failure: null,
      },
    ],
    components: [
      {
        componentId: component,
        environments: [
          {
            environment: "development",
            status: "DEPLOYED",
            descriptorVersion: "1.2.0",
            since: ended,
            executionPlanId: plan,
            drift: "NO_DRIFT",
            failure: null,
          },
        ],
      },
    ],
  },
  "getUnitFacets 200": {
    total: 12,
    facets: {
      status: [
        { value: "DEPLOYED", count: 11 },
        { value: "CORRUPT", count: 1 },
      ],
      environment: [{ value: "development", count: 12 }],
      owner: [{ value: "group:default/fleet", count: 7 }],
      domain: [{ value: "fleet", count: 12 }],
      kind: [{ value: "dataproduct", count: 12 }],
    },
  },
  "getPlanTiming 200": {
    executionPlanId: plan,
    status: "RUNNING",
    asOf: "2026-11-22T09:30:03.000Z",
    createdAt: started,
    startedAt: started,
    stoppedAt: null,
    beforeStartMs: 0,
    approvalMs: 0,
    tasks: [
      {
        taskId: task,
        action: "PROVISION",
        componentId: component,
        adapterId,
        status: "RUNNING",
        isCritical: true,
        split: { predecessorsMs: 210, queueMs: 5, retriesMs: 0, callMs: 35, pollMs: 2_750 },
        remaining,
      },
    ],
    criticalPath: { taskIds: [task], ms: 4_035 },
    remaining,
    statistics: [{ adapterId, action: "PROVISION", samples: 41, medianMs: 4_035, p90Ms: 6_885 }],
  },
  "getTerminationPreview 200": terminationPreview,
  "getUnitTerminationPreview 200": terminationPreview,
  "ComponentDiff.status": { environment: "DEPLOYED", otherEnvironment: "DEPLOYED" },
  "listAdapterCalls 200": {
    data: [
      {
        executionPlanId: plan,
        taskId: task,
        deploymentUnitId: unit,
        componentId: component,
        action: "PROVISION",
        outcome: "COMPLETED",
        attempts: 1,
        wasPolled: true,
        startedAt: started,
        stoppedAt: ended,
        durationMs: 4_250,
        message: null,
      },
    ],
    health,
    meta: page,
  },
  "listAdapterHealth 200": { data: [health], meta: page },
  "listWebhooks 200": {
    data: [
      {
        name: "warehouse",
        host: "warehouse.example",
        events: ["plinth.unit.status-changed"],
        environments: null,
        pending: 2,
        dead: 1,
        oldestPendingAt: started,
        stoppedAt: null,
      },
    ],
  },
  "listNoticeChannels 200": {
    data: [{ name: "operations", pending: 0, dead: 1, oldestPendingAt: null }],
  },
  "listDriftSchedules 200": {
    data: [
      {
        environment: "production",
        everyMinutes: null,
        cron: "0 4 * * *",
        timeZone: "Europe/Rome",
        deploymentUnits: 12,
        due: 0,
        drifted: 1,
        lastRunAt: "2026-11-22T03:00:05.000Z",
        nextRunAt: "2026-11-23T03:00:00.000Z",
        reconcile: "ask",
      },
    ],
  },
};
