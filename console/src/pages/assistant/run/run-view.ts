/** What a page shows of a run: made from its events, or from what its session has stored of it. */

export interface TextBlock {
  kind: "text";
  id: string;
  text: string;
  isOpen: boolean;
}

export interface CallBlock {
  kind: "call";
  id: string;
  /** As the model knows the tool: `platform__get_plan`, `ask_provisioning`, `load_skill`. */
  name: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
  /** Without the marks around it; null while there is none. */
  result: string | null;
  /** The tool has answered with an error. */
  isError: boolean;
  /** When the call began, was allowed and ended, in milliseconds; null where no event says so. */
  startedAt: number | null;
  allowedAt: number | null;
  endedAt: number | null;
  /** Label of the agent that it asks. */
  agent: string | null;
  /** Calls of that agent. */
  calls: readonly CallBlock[];
  approval: CallApproval | null;
  /** Why policies ask. */
  policyReasons: readonly string[];
  /** It was not made, because of a limit. */
  isDropped: boolean;
}

export interface CallApproval {
  id: string;
  agents: readonly string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  expiresAt: string;
  decision: "pending" | "approved" | "denied" | "expired";
  reason: string | null;
  /** What the user approved in place of the arguments. */
  edited: Record<string, unknown> | null;
}

/** Something that happened between texts and calls, in a sentence. */
export interface NoteBlock {
  kind: "note";
  id: string;
  text: string;
}

export type Block = TextBlock | CallBlock | NoteBlock;

export interface RunUse {
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

export type RunEnd =
  | { kind: "answered"; isLimited: boolean; isTruncated: boolean; use: RunUse }
  | { kind: "failed"; code: string; message: string };

export interface RunView {
  runId: string;
  sessionId: string | null;
  title: string | null;
  blocks: readonly Block[];
  end: RunEnd | null;
  /** Number of the last event. */
  lastSeq: number;
}

export const emptyRun = (runId: string): RunView => ({
  runId,
  sessionId: null,
  title: null,
  blocks: [],
  end: null,
  lastSeq: 0,
});

export const newCall = (id: string, name: string): CallBlock => ({
  kind: "call",
  id,
  name,
  arguments: "",
  result: null,
  isError: false,
  startedAt: null,
  allowedAt: null,
  endedAt: null,
  agent: null,
  calls: [],
  approval: null,
  policyReasons: [],
  isDropped: false,
});

/** All calls, those of agents after the call that asks them. */
export const callsOf = (blocks: readonly Block[]): CallBlock[] =>
  blocks.flatMap((block) => (block.kind === "call" ? [block, ...callsOf(block.calls)] : []));

export const pendingApprovals = ({ blocks }: RunView): CallApproval[] =>
  callsOf(blocks).flatMap(({ approval }) => (approval?.decision === "pending" ? [approval] : []));

/** How long a call worked, without the time in which it waited for its user; null where that is not known. */
export const workedMs = ({ startedAt, allowedAt, endedAt }: CallBlock): number | null => {
  const from = allowedAt ?? startedAt;
  return from === null || endedAt === null ? null : Math.max(0, endedAt - from);
};

export type CallState = "working" | "waiting" | "done" | "refused" | "failed";

export const stateOf = ({ result, approval, isDropped, isError }: CallBlock): CallState => {
  if (result === null) return approval?.decision === "pending" ? "waiting" : "working";
  if (approval?.decision === "denied" || approval?.decision === "expired") return "refused";
  return isDropped || isError || result.startsWith("Error:") ? "failed" : "done";
};
