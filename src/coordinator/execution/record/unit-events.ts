/** Events of a unit in an environment outside of plans. The writer holds the lock of the unit's row. */
import type { NewEvent } from "../../../platform/events/events.ts";

export const unitStream = (environment: string, unitKey: string): string => `unit:${environment}:${unitKey}`;

interface OfTask {
  planId: string;
  taskId: string;
  deploymentUnitId: string | null;
  environment: string;
  componentId: string | null;
}

export const componentEvent = (at: Date, data: OfTask & { status: string }): NewEvent => ({
  type: "component",
  at,
  data,
});

export const outcomeEvent = (
  at: Date,
  data: OfTask & { outcome: string; by: string; reason: string },
): NewEvent => ({ type: "outcome", at, data });

export interface DriftEventData {
  driftCheckId: string;
  deploymentUnitId: string;
  environment: string;
  components: { componentId: string; result: string; why: string; pointers: string[] }[];
}

export const driftEvent = (at: Date, data: DriftEventData): NewEvent => ({ type: "drift", at, data });
