import type { Actor } from "../../platform/lib/actor.ts";
import type { RunAgent } from "../agents/run-agent.ts";
import type { ModelMessage, ModelToolCall } from "../model-clients/model.ts";
import type { RunUsage } from "./log/ag-ui.ts";
import type { ModelConfig } from "../models/read-model.ts";

export type RunStatus =
  | "queued"
  | "running"
  | "waiting"
  | "completed"
  | "failed"
  | "cancelled"
  | "interrupted";

/** What runs need of the agents and of the model's configuration; wired in the module. */
export interface RunPorts {
  loadAgent(id: string): Promise<RunAgent | null>;
  findRoot(): Promise<{ default: string | null; orchestrator: string } | null>;
  /** Enabled ones, by name, one of a name. */
  listAgents(): Promise<{ id: string; name: string }[]>;
  readModel(): Promise<ModelConfig | null>;
  /** The keys that fit a text best, best first; of tools `server:name`, of skills their ids. */
  rankKeys(wanted: {
    kind: "tool" | "skill";
    query: string;
    keys: string[];
    limit: number;
  }): Promise<string[]>;
}

/** A conversation of one agent with the model within a run; an agent that calls another has that one's in the call. */
export interface Frame {
  agentId: string;
  /** Names of the agents from the first one to this. */
  path: string[];
  messages: ModelMessage[];
  /** Names of the skills that the model has loaded. */
  loaded: string[];
  /** What the model is shown of more tools and skills than it is shown at a time: their keys, most fitting first. */
  chosen?: { tools: string[]; skills: string[] };
  /** The calls of the last turn, until all have their results. */
  calls: OpenCall[];
}

export interface OpenCall extends ModelToolCall {
  result: string | null;
  /** The conversation of the agent that the call asked. */
  child: Frame | null;
  approvalId: string | null;
}

/** Where a run stands between two turns; stored as it is. */
export interface RunState {
  root: Frame;
  /** Marks data in prompts, so that data can't end its own mark. */
  nonce: string;
  steps: number;
  toolCalls: number;
  usedMs: number;
  tokens: number;
  /** What its answer tells of it; side questions count, too, and share this object. */
  used: RunUsage;
  /** How often each call was made. */
  seen: Record<string, number>;
  /** Numbers of the next call and message of the run. */
  nextCall: number;
  nextMessage: number;
  /** The last text of the first agent that was not empty. */
  best: string;
}

export interface SessionTitle {
  title: string;
  by: "nobody" | "assistant" | "owner";
}

export interface ClaimedRun {
  id: string;
  sessionId: string;
  owner: string;
  actor: Actor;
  requestId: string;
  agentId: string | null;
  message: string;
  pageContext: string | null;
  fence: number;
  state: RunState | null;
  stateSeq: number | null;
  /** Of its session, as it was then. */
  titled: SessionTitle;
  /** Whether something else was said in the session. */
  hasHistory: boolean;
}

export type Decision = "pending" | "approved" | "denied" | "expired";

export interface Approval {
  id: string;
  callId: string;
  agents: string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  status: Decision;
}

export interface ModelUse {
  at: Date;
  agent: string;
  model: string;
  input: number;
  output: number;
  cached: number;
  cost: number;
}

/** What was said in a session before a run: the summary of the older part, and the messages after it. */
export interface History {
  summary: string | null;
  messages: (ModelMessage & { id: number })[];
}
