/** For each alert: series with which it fires, with what it says then, and series with which it has to be quiet. */

/** A series and its values, as in `promtool test rules`: one a minute. */
export type Series = readonly [name: string, values: string];

export interface AlertCase {
  alert: string;
  fires: readonly Series[];
  quiet: readonly Series[];
  /** Minutes after which it fires; until half of its `for` it does not. */
  at: number;
  /** Labels of the alert beside the severity. */
  labels?: Record<string, string>;
  summary: string;
  /** Where it is a template. */
  description?: string;
}

const source = (name: string, up: number): Series => [
  `plinth_metrics_source_up{job="plinth",instance="a",source="${name}"}`,
  `${up}x60`,
];
const plinth = (name: string, labels = ""): string => `${name}{job="plinth",instance="a"${labels}}`;
const job = { job: "plinth" };
const both = { ...job, instance: "a" };
const info: Series = [plinth("plinth_build_info", ',version="1",schema="70"'), "1x200"];

const processes: AlertCase[] = [
  {
    alert: "PlinthNoProcess",
    fires: [["up", "0x10"]],
    quiet: [info],
    at: 5,
    summary: "No process of Plinth is scraped.",
  },
  {
    alert: "PlinthNoWorker",
    fires: [[plinth("plinth_workers", ',state="alive"'), "0x10"]],
    quiet: [
      [plinth("plinth_workers", ',state="alive"'), "1x10"],
      [plinth("plinth_workers", ',state="dead"'), "0x10"],
    ],
    at: 5,
    labels: job,
    summary: "No worker is alive.",
  },
  {
    alert: "PlinthWorkerWithoutLease",
    fires: [[plinth("plinth_worker_lease_held"), "1x5 0x10"]],
    quiet: [[plinth("plinth_worker_lease_held"), "1x5 0 1x10"]],
    at: 10,
    labels: both,
    summary: "The worker of a has no session with the database.",
  },
  {
    alert: "PlinthPlansTakenOver",
    fires: [[plinth("plinth_plan_claims_total", ',how="taken_over"'), "0+1x60"]],
    quiet: [
      [plinth("plinth_plan_claims_total", ',how="taken_over"'), "0+0x30 0+1x5 5x60"],
      [plinth("plinth_plan_claims_total", ',how="new"'), "0+100x60"],
    ],
    at: 40,
    labels: job,
    summary: "30 plans were taken over within 30 minutes.",
  },
  {
    alert: "PlinthEventLoopBlocked",
    fires: [info, [plinth("nodejs_eventloop_lag_max_seconds"), "0.75x60"]],
    quiet: [info, [plinth("nodejs_eventloop_lag_max_seconds"), "0.1x60"]],
    at: 15,
    labels: both,
    summary: "The event loop of a stands still for 750ms at a time.",
  },
  {
    alert: "PlinthClockSkew",
    fires: [[plinth("plinth_clock_skew_seconds"), "-90x60"]],
    quiet: [[plinth("plinth_clock_skew_seconds"), "-2x60"]],
    at: 15,
    labels: both,
    summary: "The clock of a is 1m 30s away from the database's.",
  },
  {
    alert: "PlinthMixedVersions",
    fires: [info, ['plinth_build_info{job="plinth",instance="b",version="2",schema="71"}', "1x200"]],
    quiet: [info, ['plinth_build_info{job="plinth",instance="b",version="1",schema="70"}', "1x200"]],
    at: 150,
    labels: job,
    summary: "2 versions of the program have been running beside each other for 2 hours.",
  },
];

const databases: AlertCase[] = [
  {
    alert: "PlinthDatabaseAway",
    fires: [source("database", 0)],
    // One process that has lost it is another alert.
    quiet: [
      source("database", 0),
      ['plinth_metrics_source_up{job="plinth",instance="b",source="database"}', "1x60"],
    ],
    at: 5,
    labels: job,
    summary: "The database does not answer any process.",
  },
  {
    alert: "PlinthGovernanceDatabaseAway",
    fires: [source("governance", 0)],
    quiet: [source("governance", 1), source("database", 0)],
    at: 5,
    labels: job,
    summary: "Governance's database does not answer any process.",
  },
  {
    alert: "PlinthNumbersIncomplete",
    fires: [source("jobs", 0)],
    quiet: [source("jobs", 1)],
    at: 15,
    labels: { ...job, source: "jobs" },
    summary: "The numbers of jobs are left out of scrapes.",
  },
  {
    alert: "PlinthConnectionsNearlyUsed",
    fires: [
      [plinth("plinth_database_connections"), "95x60"],
      [plinth("plinth_database_max_connections"), "100x60"],
    ],
    quiet: [
      [plinth("plinth_database_connections"), "70x60"],
      [plinth("plinth_database_max_connections"), "100x60"],
    ],
    at: 10,
    labels: job,
    summary: "95% of the database's connections are used.",
  },
  {
    alert: "PlinthPoolExhausted",
    fires: [[plinth("plinth_database_pool_waiting", ',pool="coordinator"'), "3x60"]],
    quiet: [[plinth("plinth_database_pool_waiting", ',pool="coordinator"'), "3 0 9 0 3 0 9 0 3 0 9 0"]],
    at: 10,
    labels: { ...both, pool: "coordinator" },
    summary: "Statements of a have been waiting for a connection (coordinator) for 5 minutes.",
  },
  {
    alert: "PlinthWritesSlow",
    fires: [
      [plinth("plinth_plan_write_duration_seconds_bucket", ',le="0.5"'), "0x60"],
      [plinth("plinth_plan_write_duration_seconds_bucket", ',le="1"'), "0+60x60"],
      [plinth("plinth_plan_write_duration_seconds_bucket", ',le="+Inf"'), "0+60x60"],
    ],
    quiet: [
      [plinth("plinth_plan_write_duration_seconds_bucket", ',le="0.5"'), "0+60x60"],
      [plinth("plinth_plan_write_duration_seconds_bucket", ',le="+Inf"'), "0+60x60"],
    ],
    at: 25,
    labels: job,
    summary: "Changes of tasks take 975ms to be written (95 %).",
  },
  {
    alert: "PlinthRetentionFails",
    fires: [[plinth("plinth_retention_failing", ',rule="events"'), "1x90"]],
    quiet: [[plinth("plinth_retention_failing", ',rule="events"'), "1x30 0 1x50"]],
    at: 70,
    labels: { ...job, rule: "events" },
    summary: "Old rows of events have not been deleted for an hour.",
  },
  {
    alert: "PlinthJobsFail",
    fires: [[plinth("plinth_jobs", ',queue="clean-up",state="failed"'), "2x60"]],
    quiet: [[plinth("plinth_jobs", ',queue="clean-up",state="active"'), "2x60"]],
    at: 20,
    labels: { ...job, queue: "clean-up" },
    summary: "Jobs of the queue clean-up were given up.",
  },
];

const planEnds = (outcome: string, perMinute: number): Series => [
  plinth("plinth_plans_ended_total", `,kind="provisioning",outcome="${outcome}"`),
  `0+${perMinute}x60`,
];

const plans: AlertCase[] = [
  {
    alert: "PlinthPlansNotTaken",
    fires: [[plinth("plinth_plan_oldest_waiting_seconds", ',reason="worker"'), "0+60x60"]],
    quiet: [
      [plinth("plinth_plan_oldest_waiting_seconds", ',reason="worker"'), "2x60"],
      // The approval of a person may take days.
      [plinth("plinth_plan_oldest_waiting_seconds", ',reason="approval"'), "0+60x60"],
    ],
    at: 10,
    labels: job,
    summary: "A plan has been waiting for a worker for 10m 0s.",
  },
  {
    alert: "PlinthPlansAbandoned",
    fires: [[plinth("plinth_plans_waiting", ',reason="worker_gone"'), "4x60"]],
    quiet: [[plinth("plinth_plans_waiting", ',reason="worker_gone"'), "4 0x60"]],
    at: 5,
    labels: job,
    summary: "4 plans are of workers that are gone, and nobody takes them over.",
  },
  {
    alert: "PlinthPlansHeldByError",
    // A plan counts between its attempts only.
    fires: [[plinth("plinth_plans_waiting", ',reason="error"'), "2 0 2 0 2 0 2 0 2 0"]],
    quiet: [
      [plinth("plinth_plans_waiting", ',reason="error"'), "2 0x60"],
      [plinth("plinth_plans_waiting", ',reason="approval"'), "2x60"],
    ],
    at: 5,
    labels: job,
    summary: "2 plans can't go on because of an error, and are tried again.",
  },
  {
    alert: "PlinthPlanOverdue",
    fires: [[plinth("plinth_plans_overdue"), "1x60"]],
    quiet: [[plinth("plinth_plans_overdue"), "0x60"]],
    at: 10,
    labels: job,
    summary: "1 plans go on although their time limit has passed.",
  },
  {
    alert: "PlinthPlansFail",
    fires: [planEnds("failed", 1), planEnds("completed", 0)],
    quiet: [planEnds("failed", 1), planEnds("completed", 4)],
    at: 40,
    labels: job,
    summary: "More than half of the plans of the last 30 minutes failed.",
    description: "30 plans failed: an adapter, a policy or a descriptor that many share.",
  },
  {
    alert: "PlinthNoFreeSlot",
    fires: [[plinth("plinth_tasks_open", ',waits_for="slot"'), "7x60"]],
    quiet: [
      [plinth("plinth_tasks_open", ',waits_for="slot"'), "7x10 0 7x50"],
      [plinth("plinth_tasks_open", ',waits_for="adapter"'), "500x60"],
    ],
    at: 20,
    labels: { ...both, waits_for: "slot" },
    summary: "Tasks of a have been waiting for a place for 15 minutes.",
  },
  {
    alert: "PlinthUnknownOutcomes",
    fires: [[plinth("plinth_unknown_outcome_oldest_seconds", ',environment="production"'), "7200x60"]],
    quiet: [[plinth("plinth_unknown_outcome_oldest_seconds", ',environment="production"'), "600x60"]],
    at: 5,
    labels: { ...job, environment: "production" },
    summary: "In production the outcome of a call has been unknown for 2h 0m 0s.",
  },
  {
    alert: "PlinthDrift",
    fires: [[plinth("plinth_drift_units", ',environment="production",result="DRIFTED"'), "3x90"]],
    quiet: [[plinth("plinth_drift_units", ',environment="production",result="NO_DRIFT"'), "3x90"]],
    at: 70,
    labels: { ...job, environment: "production" },
    summary: "3 units in production are not as they were deployed.",
  },
];

const calls = (outcome: string, perMinute: number): Series => [
  plinth("plinth_adapter_calls_total", `,adapter="s3",call="provision",outcome="${outcome}"`),
  `0+${perMinute}x60`,
];
const slowCalls = (underFive: number): Series[] => [
  [
    plinth("plinth_adapter_call_duration_seconds_bucket", ',adapter="s3",call="provision",le="10"'),
    `0+${underFive}x60`,
  ],
  [
    plinth("plinth_adapter_call_duration_seconds_bucket", ',adapter="s3",call="provision",le="30"'),
    "0+10x60",
  ],
  [
    plinth("plinth_adapter_call_duration_seconds_bucket", ',adapter="s3",call="provision",le="+Inf"'),
    "0+10x60",
  ],
];

const adapters: AlertCase[] = [
  {
    alert: "PlinthAdapterCallsFail",
    fires: [calls("timeout", 2), calls("connect", 1), calls("done", 3)],
    // Refusals say something of descriptors, not of the adapter.
    quiet: [calls("refused", 5), calls("aborted", 5), calls("done", 1)],
    at: 20,
    labels: { ...job, adapter: "s3" },
    summary: "50% of the calls of s3 have no usable answer.",
  },
  {
    alert: "PlinthAdapterSlow",
    fires: slowCalls(0),
    quiet: slowCalls(10),
    at: 40,
    labels: { ...job, adapter: "s3" },
    summary: "Answers of s3 take 29s (95 %).",
  },
  {
    alert: "PlinthWebhookDead",
    fires: [[plinth("plinth_webhook_deliveries", ',webhook="ledger",status="dead"'), "2x10"]],
    quiet: [[plinth("plinth_webhook_deliveries", ',webhook="ledger",status="pending"'), "2x10"]],
    at: 5,
    labels: { ...job, webhook: "ledger" },
    summary: "2 deliveries to the webhook ledger were given up.",
  },
  {
    alert: "PlinthWebhookLate",
    fires: [[plinth("plinth_webhook_oldest_pending_seconds", ',webhook="ledger"'), "1800x10"]],
    quiet: [[plinth("plinth_webhook_oldest_pending_seconds", ',webhook="ledger"'), "60x10"]],
    at: 5,
    labels: { ...job, webhook: "ledger" },
    summary: "A delivery to the webhook ledger has been waiting for 30m 0s.",
  },
  {
    alert: "PlinthEventsUnread",
    fires: [[plinth("plinth_events_unread_seconds", ',reader="webhooks"'), "1800x10"]],
    quiet: [[plinth("plinth_events_unread_seconds", ',reader="webhooks"'), "60x10"]],
    at: 5,
    labels: { ...job, reader: "webhooks" },
    summary: "The webhooks have read no event for 30m 0s.",
  },
];

const requests = (status: string, perMinute: number): Series => [
  plinth("http_request_duration_seconds_count", `,operation="getUnit",status="${status}"`),
  `0+${perMinute}x60`,
];
const slowRequests = (operation: string, fast: number): Series[] => [
  [
    plinth("http_request_duration_seconds_bucket", `,operation="${operation}",status="200",le="5"`),
    `0+${fast}x60`,
  ],
  [
    plinth("http_request_duration_seconds_bucket", `,operation="${operation}",status="200",le="30"`),
    "0+10x60",
  ],
  [
    plinth("http_request_duration_seconds_bucket", `,operation="${operation}",status="200",le="+Inf"`),
    "0+10x60",
  ],
];

const http: AlertCase[] = [
  {
    alert: "PlinthRequestsRefused",
    fires: [[plinth("http_requests_refused_total", ',reason="late"'), "0+120x60"]],
    quiet: [[plinth("http_requests_refused_total", ',reason="late"'), "0+6x60"]],
    at: 15,
    labels: job,
    summary: "2 requests a second are refused because of overload.",
  },
  {
    alert: "PlinthServerErrors",
    fires: [requests("500", 1), requests("200", 9)],
    quiet: [requests("503", 10), requests("404", 10), requests("200", 9)],
    at: 20,
    labels: job,
    summary: "10% of the requests are answered with an error of the server.",
  },
  {
    alert: "PlinthRequestsSlow",
    fires: slowRequests("listUnits", 0),
    // A stream is open for as long as its plan runs.
    quiet: [...slowRequests("streamPlanEvents", 0), ...slowRequests("listUnits", 10)],
    at: 25,
    labels: job,
    summary: "Requests take 28.75s (95 %).",
  },
];

const instantiations = (outcome: string, perMinute: number): Series => [
  plinth("plinth_instantiations_ended_total", `,outcome="${outcome}"`),
  `0+${perMinute}x120`,
];
const evaluations = (outcome: string, perMinute: number): Series => [
  plinth("plinth_policy_evaluations_total", `,engine="remote",outcome="${outcome}"`),
  `0+${perMinute}x120`,
];
const modelCalls = (outcome: string, perMinute: number): Series => [
  plinth("plinth_assistant_model_call_duration_seconds_count", `,model="m",outcome="${outcome}"`),
  `0+${perMinute}x120`,
];

const areas: AlertCase[] = [
  {
    alert: "PlinthInstantiationsWait",
    fires: [[plinth("plinth_instantiation_oldest_seconds", ',status="open"'), "600x20"]],
    quiet: [[plinth("plinth_instantiation_oldest_seconds", ',status="processing"'), "600x20"]],
    at: 10,
    labels: job,
    summary: "An instantiation has been waiting for a worker for 10m 0s.",
  },
  {
    alert: "PlinthInstantiationsFail",
    fires: [instantiations("failed", 1), instantiations("completed", 0)],
    quiet: [instantiations("failed", 1), instantiations("completed", 2)],
    at: 70,
    labels: job,
    summary: "More than half of the instantiations of the last hour failed.",
  },
  {
    alert: "PlinthDecisionsWait",
    fires: [[plinth("plinth_plan_oldest_waiting_seconds", ',reason="approval"'), "200000x10"]],
    quiet: [
      [plinth("plinth_plan_oldest_waiting_seconds", ',reason="approval"'), "3600x10"],
      [plinth("plinth_hook_oldest_pending_seconds", ',action="access",kind="approval"'), "3600x10"],
    ],
    at: 5,
    labels: job,
    summary: "Somebody has been waiting for a decision for 2d 7h 33m 20s.",
  },
  {
    alert: "PlinthPoliciesBroken",
    fires: [evaluations("unreachable", 1), evaluations("satisfied", 1)],
    quiet: [evaluations("violated", 5), evaluations("satisfied", 1)],
    at: 40,
    labels: { ...job, engine: "remote" },
    summary: "50% of the evaluations by the engine remote have no answer.",
  },
  {
    alert: "PlinthReportsLate",
    fires: [[plinth("plinth_policy_report_oldest_seconds"), "7200x10"]],
    quiet: [[plinth("plinth_policy_report_oldest_seconds"), "60x10"]],
    at: 5,
    labels: job,
    summary: "An evaluation of policies has not ended for 2h 0m 0s.",
  },
  {
    alert: "PlinthRunsWait",
    fires: [[plinth("plinth_assistant_run_oldest_seconds", ',status="queued"'), "600x20"]],
    // A run that waits for its user may wait for long.
    quiet: [[plinth("plinth_assistant_run_oldest_seconds", ',status="waiting"'), "90000x20"]],
    at: 10,
    labels: job,
    summary: "A question to the assistant has been waiting for 10m 0s.",
  },
  {
    alert: "PlinthModelFails",
    fires: [modelCalls("ASSISTANT_MODEL_FAILED", 1), modelCalls("ok", 1)],
    quiet: [modelCalls("limit", 5), modelCalls("ok", 1)],
    at: 20,
    labels: { ...job, model: "m" },
    summary: "50% of the calls of the model m fail.",
  },
  {
    alert: "PlinthDataLayerInconsistent",
    fires: [[plinth("plinth_data_layer_inconsistencies", ',source="mart"'), "2x90"]],
    quiet: [[plinth("plinth_data_layer_inconsistencies", ',source="mart"'), "0x90"]],
    at: 70,
    labels: { ...job, source: "mart" },
    summary: "2 objects of the source mart can't be shown by GraphQL.",
  },
];

export const alertCases: readonly AlertCase[] = [
  ...processes,
  ...databases,
  ...plans,
  ...adapters,
  ...http,
  ...areas,
];
