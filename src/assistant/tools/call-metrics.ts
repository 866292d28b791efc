/** Count, duration and outcome of the runs of this process, and of their calls of models and tools. */
import { boundValues, type Histogram, type Instruments } from "../../platform/telemetry/instruments.ts";
import type { ToolResult } from "./tool-source.ts";

export interface CallMetrics {
  modelTurn(model: string, outcome: string, seconds: number): void;
  /** By server and outcome. */
  tools: Histogram;
  runEnded(outcome: "completed" | "limited" | "cancelled" | "failed" | "interrupted"): void;
}

export function createCallMetrics(instruments: Instruments, maxModels: number): CallMetrics {
  const modelOf = boundValues(maxModels);
  const models = instruments.histogram({
    name: "plinth_assistant_model_call_duration_seconds",
    help: "Time of a model's turn from the call to the end of its answer, by model and outcome: ok, limit, timeout, cancelled or a code.",
    labels: ["model", "outcome"],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120],
  });
  const runs = instruments.counter({
    name: "plinth_assistant_runs_ended_total",
    help: "Runs that this process has driven to their end, by outcome: completed, limited (by a budget), cancelled, failed or interrupted.",
    labels: ["outcome"],
  });
  return {
    modelTurn: (model, outcome, seconds) => models.observe(seconds, [modelOf(model), outcome]),
    runEnded: (outcome) => runs.add([outcome]),
    tools: instruments.histogram({
      name: "plinth_assistant_tool_call_duration_seconds",
      help: "Time of a tool's call, by server and outcome: ok, error, timeout, cancelled, failed or unknown.",
      labels: ["server", "outcome"],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
    }),
  };
}

interface ObservedCall {
  server: string;
  /** Ends the call. */
  signal: AbortSignal;
}

/** Makes a call of a tool and records its duration and outcome. */
export async function observeToolCall<T extends ToolResult | null>(
  durations: Histogram,
  { server, signal }: ObservedCall,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let outcome = "failed";
  try {
    const result = await work();
    outcome = result === null ? "unknown" : result.isError ? "error" : "ok";
    return result;
  } catch (error) {
    if (signal.aborted) outcome = abortOutcome(signal);
    throw error;
  } finally {
    durations.observe((performance.now() - startedAt) / 1_000, [server, outcome]);
  }
}

/** Whether a signal was aborted by a timeout or by a cancellation. */
export const abortOutcome = ({ reason }: AbortSignal): "timeout" | "cancelled" =>
  reason instanceof Error && reason.name === "TimeoutError" ? "timeout" : "cancelled";
