/** Pure: messages of both versions of A2A in one form. */
import type { Static } from "typebox";
import { isRecord } from "../../../platform/lib/is-record.ts";
import { longestReason } from "../../runs/approvals/schema.ts";
import type { A2aVersion } from "./dialects.ts";
import type { sendParamsV03, sendParamsV1 } from "./schema.ts";

export interface SentMessage {
  messageId: string;
  contextId: string | null;
  taskId: string | null;
  texts: string[];
  data: unknown[];
  hasFiles: boolean;
  historyLength: number | null;
  /** Whether the response may be a task that is still running. */
  returnsAtOnce: boolean;
  wantsPush: boolean;
}

type Reader = (params: object) => SentMessage;

/** The parameters have passed their schema. */
export const readMessage: Record<A2aVersion, Reader> = {
  "1.0": (params) => {
    const { message, configuration } = params as Static<typeof sendParamsV1>;
    const { parts } = message;
    return {
      ...idsOf(message),
      texts: parts.flatMap(({ text }) => text ?? []),
      data: parts.flatMap(({ data }) => (data === undefined ? [] : [data])),
      hasFiles: parts.some(({ raw, url }) => (raw ?? url ?? null) !== null),
      historyLength: configuration?.historyLength ?? null,
      returnsAtOnce: configuration?.returnImmediately === true,
      wantsPush: (configuration?.taskPushNotificationConfig ?? null) !== null,
    };
  },
  "0.3": (params) => {
    const { message, configuration } = params as Static<typeof sendParamsV03>;
    const { parts } = message;
    return {
      ...idsOf(message),
      texts: parts.flatMap(({ kind, text }) => (kind === "text" ? (text ?? []) : [])),
      data: parts.flatMap(({ kind, data }) => (kind === "data" ? [data] : [])),
      hasFiles: parts.some(({ kind }) => kind === "file"),
      historyLength: configuration?.historyLength ?? null,
      returnsAtOnce: configuration?.blocking === false,
      wantsPush: (configuration?.pushNotificationConfig ?? null) !== null,
    };
  },
};

interface Ids {
  messageId: string;
  contextId?: string | null;
  taskId?: string | null;
}

/** In the JSON of protocol buffers an empty text means that the field is missing. */
const idsOf = ({ messageId, contextId, taskId }: Ids) => ({
  messageId,
  contextId: contextId || null,
  taskId: taskId || null,
});

export interface MessageDecision {
  approvalId: string;
  approved: boolean;
  reason: string | null;
  arguments: Record<string, unknown> | null;
}

/** Null when the message decides nothing. */
export function decisionsOf({ data }: SentMessage): MessageDecision[] | null {
  const said = data.flatMap((value) => {
    const {
      approval_id: approvalId,
      approved,
      reason,
      arguments: given,
    } = (value ?? {}) as Record<string, unknown>;
    if (typeof approvalId !== "string" || typeof approved !== "boolean") return [];
    const why = typeof reason === "string" ? reason.slice(0, longestReason) : null;
    return [{ approvalId, approved, reason: why, arguments: isRecord(given) ? given : null }];
  });
  return said.length === 0 ? null : said;
}
