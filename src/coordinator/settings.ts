/** The settings of the coordinator's services and worker, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { CoordinatorSettings, ReconcileSettings } from "./context.ts";
import { operationTimeoutOf, timesOf } from "./execution/tasks/limits.ts";
import { targetOf } from "./watching/webhooks/worker.ts";

export function coordinatorSettings(config: Config): CoordinatorSettings {
  const { mesh, coordinator } = config;
  const { execution, unitIdPattern, queuedOperationsPerUnit, idempotencyKeyMs, validation } = coordinator;
  const { pollInitialMs: initialMs, pollFactor: factor, pollMaxMs: maxMs } = execution;
  return {
    environments: mesh.builder.environments.map(({ name }) => name),
    unitIdPattern: unitIdPattern ? new RegExp(`^(?:${unitIdPattern})$`) : undefined,
    rootProvisioning: coordinator.rootProvisioning,
    operationTimeoutMs: (environment) => operationTimeoutOf(execution, environment),
    outcomeRetryDelaysMs: coordinator.unknownOutcomes.retryDelaysMs,
    reconcile: reconcileSettings(coordinator.drift),
    driftSchedules: coordinator.drift.schedules,
    longestHoldMs: coordinator.windows.maxWaitHours * hourMs,
    adapterCallTimeoutMs: (place) => timesOf(execution, place).callTimeoutMs,
    callTimeoutMs: execution.callTimeoutMs,
    validationTimeoutMs: validation.syncTimeoutMs,
    webhooks: config.coordinator.webhooks.map(targetOf),
    notices: {
      mailKinds: config.notices.mail?.kinds ?? null,
      chats: config.notices.chats.map(({ name }) => name),
    },
    services: config["marketplace-compliant-services"].services
      .filter((service) => service["is-enabled"])
      .map(({ id, name, ...service }) => ({
        id,
        name,
        baseUrl: service["base-url"],
        isBlocking: service["is-blocking"],
      })),
    accessSyncUrl: coordinator.accessSync.url,
    queuedOperationsPerUnit,
    policiesOnUnavailable: config.governance.onUnavailable,
    idempotencyKeyMs,
    polling: { initialMs, factor, maxMs },
  };
}

const hourMs = 3_600_000;

function reconcileSettings({ schedules, reconcile }: Config["coordinator"]["drift"]): ReconcileSettings {
  const modes = new Map(schedules.map((each) => [each.environment, each.reconcile]));
  return {
    modeOf: (environment) => modes.get(environment) ?? "off",
    parallelPlans: reconcile.parallelPlans,
    perUnitMs: reconcile.perUnitHours * hourMs,
    stopAfterFailures: reconcile.stopAfterFailures,
    askMs: reconcile.askHours * hourMs,
  };
}
