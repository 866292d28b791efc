import type { Actor } from "../../../platform/lib/actor.ts";
import type { RequestOrigin } from "../../../platform/lib/request-lines.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import type { ModelMessage, ModelToolCall } from "../../models/model.ts";
import type { RunLimits } from "../../settings.ts";
import type { RunUsage } from "../log/ag-ui.ts";
import type { ModelConfig } from "../../models/read-model.ts";

export type RunStatus =
  | "queued"
  | "running"
  | "waiting"
  | "completed"
  | "failed"
  | "cancelled"
  | "interrupted";

/** Agents and models as runs read them; wired in `module.ts`. */
export interface RunPorts {
  loadAgent(id: string): Promise<RunAgent | null>;
  findRoot(): Promise<{ default: string | null; orchestrator: string } | null>;
  /** Enabled agents by name; of several with one name only one. */
  listAgents(): Promise<{ id: string; name: string }[]>;
  readModel(): Promise<ModelConfig | null>;
  readLimits(): Promise<RunLimits>;
  /** Keys ordered by how well they match a text; keys of tools are `server:name`, of skills ids. */
  rankKeys(wanted: {
    kind: "tool" | "skill";
    query: string;
    keys: string[];
    limit: number;
  }): Promise<string[]>;
}

/** A conversation of one agent with the model within a run. The frame of an agent that it calls is in the call. */
export interface Frame {
  agentId: string;
  /** Names of the agents from the first one to this one. */
  path: string[];
  /** Of the call that asks this agent; missing in the first one, and in what older programs have stored. */
  callId?: string;
  messages: ModelMessage[];
  /** Names of the skills that the model has loaded. */
  loaded: string[];
  /** When there are too many tools and skills to show: the keys of those that are shown, best match first. */
  chosen?: { tools: string[]; skills: string[] };
  /** The calls of the last model turn, until all have results. */
  calls: OpenCall[];
}

export interface OpenCall extends ModelToolCall {
  result: string | null;
  /** The frame of the agent that is called. */
  child: Frame | null;
  approvalId: string | null;
  /** Why it is not made. */
  dropped?: string;
  /** What the model is told after the result. */
  note?: string;
  /** Whether clients were shown the call. */
  shown?: boolean;
}

/** The state of a run between two model turns; stored as JSON. */
export interface RunState {
  root: Frame;
  /** Part of the marks of data in prompts, so that data can't close its own mark. */
  nonce: string;
  steps: number;
  toolCalls: number;
  usedMs: number;
  tokens: number;
  /** The usage in the result of the run. Summaries share this object; titles are not in it. */
  used: RunUsage;
  /** How often each call was made. */
  seen: Record<string, number>;
  /** Numbers of the next call and message of the run. */
  nextCall: number;
  nextMessage: number;
  /** The last text of the first agent that was not empty. */
  best: string;
  /** Whether the last answer of the first agent stopped in the middle. */
  truncated?: boolean;
}

export interface SessionTitle {
  title: string;
  by: "nobody" | "assistant" | "owner";
}

/** An earlier message that a client sent with its question. */
export interface GivenMessage {
  role: "user" | "assistant" | "tool";
  content: string;
}

export interface ClaimedRun extends RequestOrigin {
  id: string;
  sessionId: string;
  owner: string;
  actor: Actor;
  requestId: string;
  agentId: string | null;
  message: string;
  pageContext: string | null;
  given: GivenMessage[] | null;
  /** Trace context of the request that asked; null when an older program has inserted it. */
  traceparent: string | null;
  fence: number;
  /** Equal to `fence` when no tool has acted since the state was stored; see the migration 0021. */
  repeatableFence: number | null;
  /** How many workers in a row have died with the run since the state was stored. */
  takeovers: number;
  state: RunState | null;
  stateSeq: number | null;
  /** The title of its session at the claim. */
  titled: SessionTitle;
  /** Whether the session has messages of other runs. */
  hasHistory: boolean;
}

export interface ModelUse {
  at: Date;
  agent: string;
  model: string;
  input: number;
  output: number;
  cached: number;
  cost: number;
  /** Whether clients were shown the turn. */
  isShown: boolean;
}

/** What was said in a session before a run: the summary of the older part, and the messages after it. */
export interface History {
  summary: string | null;
  entries: HistoryEntry[];
  /** Names of the skills that were loaded last. */
  skills: string[];
}

/** What stands for one stored message in a prompt: of an answer, the tool calls that led to it as well. */
export interface HistoryEntry {
  id: number;
  messages: ModelMessage[];
}
