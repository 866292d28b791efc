/** A tool call that waits for the user, and what the user has said. */
import { isSecretName } from "../../../platform/lib/secrets/secret-names.ts";
import { maskTexts } from "../../masked-values.ts";

export type Decision = "pending" | "approved" | "denied" | "expired";

export interface Approval {
  id: string;
  callId: string;
  agents: string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

/** A pending approval with where it belongs. */
export interface OpenApproval {
  id: string;
  runId: string;
  sessionId: string;
  callId: string;
  agents: string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  createdAt: Date;
  expiresAt: Date;
}

/** The present state of an approval, as the run reads it. */
export interface ReadDecision {
  status: Decision;
  /** Why the user refused. */
  reason: string | null;
  /** The arguments that the user approved in place of those of the model. */
  edited: Record<string, unknown> | null;
}

/** The user's answer to an approval. */
export interface ApprovalAnswer {
  isApproved: boolean;
  reason: string | null;
  edited: Record<string, unknown> | null;
}

export const plainAnswer = (isApproved: boolean, reason: string | null = null): ApprovalAnswer => ({
  isApproved,
  reason,
  edited: null,
});

/** An approval as others see it: the model may have put secrets into the arguments. */
export const shownArguments = (given: Record<string, unknown>): Record<string, unknown> =>
  maskTexts(given, "named", isSecretName) as Record<string, unknown>;

/** One that waits, of any user. */
export interface OwnedApproval {
  id: string;
  runId: string;
  owner: string;
  server: string;
  tool: string;
  createdAt: Date;
  expiresAt: Date;
}
