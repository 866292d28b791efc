/** The state and ports that the parts of the loop share while a run is driven in this process. */
import type { Logger } from "../../../platform/lib/logger.ts";
import type { LiveSpan } from "../../../platform/telemetry/spans.ts";
import type { CallMetrics } from "../../tools/call-metrics.ts";
import type { ModelClient } from "../../models/model.ts";
import type { ApprovalPolicy, RunSettings } from "../../settings.ts";
import type { ToolSource } from "../../tools/tool-source.ts";
import type { DecideAction } from "../../ports.ts";
import type { RunWriter } from "../log/run-log.ts";
import type { Approval, ReadDecision } from "../approvals/approval.ts";
import type { ClaimedRun, ModelUse, RunPorts, RunState } from "./run-state.ts";

/** Policies about what agents do. */
export interface ActionPolicies {
  decide: DecideAction;
  /** Whether the user is asked, or nobody, while they can't be evaluated. */
  onUnavailable: "block" | "warn";
}

export interface RunContext {
  run: ClaimedRun;
  state: RunState;
  /** When and for whom it is, for prompts. */
  situation: string;
  /** With the budgets that count for this run. */
  settings: RunSettings;
  /** Who decides on tool calls: the settings and the stored configuration. */
  policies: Partial<ApprovalPolicy>[];
  actionPolicies: ActionPolicies;
  model: ModelClient;
  tools: ToolSource;
  metrics: CallMetrics;
  loadAgent: RunPorts["loadAgent"];
  rankKeys: RunPorts["rankKeys"];
  writer: RunWriter;
  log: Logger;
  now: () => Date;
  /** Of this claim of the run. */
  span: LiveSpan<"agent"> | undefined;
  /** Trace context for what is called outside of a span. */
  traceparent: string;
  /** Aborted when the run is cancelled or lost, at its time limit, and when the process stops. */
  signal: AbortSignal;
  /** Decisions by approval id, as of the claim. */
  decisions: ReadonlyMap<string, ReadDecision>;
  /** Approvals that are needed and not stored yet. */
  newApprovals: Approval[];
  /** Uses of the model that are not stored yet. */
  uses: ModelUse[];
  /** Puts into the state how long the run has been driven. */
  countTime(): void;
  /** Stores the state of the run; resolves when it is committed. */
  checkpoint(): Promise<void>;
  /**
   * Stores that tools are called from now on, and where one may act, that the turn is not repeated after a crash; resolves when it is
   * committed.
   */
  markActing(mayAct: boolean): Promise<void>;
}

/** Thrown at a limit of the budget: the run ends with the best answer so far. */
export class LimitReached extends Error {
  constructor(what: string) {
    super(what);
    this.name = "LimitReached";
  }
}
