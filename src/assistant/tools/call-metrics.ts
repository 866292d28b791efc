/** Count, duration and outcome of the calls of models and tools by this process. */
import { Histogram } from "prom-client";
import type { ToolResult } from "./tool-source.ts";

export interface CallMetrics {
  models: Histogram<"model" | "outcome">;
  tools: ToolDurations;
}

export type ToolDurations = Histogram<"server" | "outcome">;

/** The registry of the process gets them in `registerMetrics` of the module. */
export const createCallMetrics = (): CallMetrics => ({
  models: new Histogram({
    name: "plinth_assistant_model_call_duration_seconds",
    help: "Time of a model's turn from the call to the end of its answer, by model and outcome: ok, limit, timeout, cancelled or a code.",
    labelNames: ["model", "outcome"],
    registers: [],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120],
  }),
  tools: new Histogram({
    name: "plinth_assistant_tool_call_duration_seconds",
    help: "Time of a tool's call, by server and outcome: ok, error, timeout, cancelled, failed or unknown.",
    labelNames: ["server", "outcome"],
    registers: [],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  }),
});

interface ObservedCall {
  server: string;
  /** Ends the call. */
  signal: AbortSignal;
}

/** Makes a call of a tool and records its duration and outcome. */
export async function observeToolCall<T extends ToolResult | null>(
  durations: ToolDurations,
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
    durations.observe({ server, outcome }, (performance.now() - startedAt) / 1_000);
  }
}

/** Whether a signal was aborted by a timeout or by a cancellation. */
export const abortOutcome = ({ reason }: AbortSignal): "timeout" | "cancelled" =>
  reason instanceof Error && reason.name === "TimeoutError" ? "timeout" : "cancelled";
