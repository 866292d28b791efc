/** Sessions of the caller; those of other owners are not found. */
import { inTransaction } from "../../platform/db/database.ts";
import { beginningsOf } from "../../platform/db/word-search.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import type { Page } from "../record-schema.ts";
import { excerptOf } from "../retrieval/excerpt.ts";
import { queryWords } from "../retrieval/words.ts";
import type { RememberedCall } from "./loop/memory.ts";
import { notifyReaders, notifyStop } from "./log/notice-store.ts";
import {
  deleteSession,
  findSession,
  listMessages,
  listSessions,
  searchSessions,
  setTitle,
  type MessageRow,
  type SessionRow,
} from "./session-store.ts";

export interface Listed<T> {
  data: T[];
  meta: { pagination: { total: number; limit: number; offset: number } };
}

const listed = <T>({ rows, total }: { rows: T[]; total: number }, page: Page): Listed<T> => ({
  data: rows,
  meta: { pagination: { total, limit: page.limit, offset: page.offset } },
});

export async function getSessions(ctx: AssistantContext, page: Page): Promise<Listed<SessionRow>> {
  return listed(await listSessions(ctx.assistant.database.db, ctx.actor.ref, page), page);
}

export interface FoundView {
  session_id: string;
  title: string;
  matches: "title" | "message";
  message_id: string | null;
  role: "user" | "assistant" | null;
  excerpt: string;
  at: string;
}

/** Searches the caller's own by the beginnings of words; nothing is found by a text without any. */
export async function searchOwnSessions(
  ctx: AssistantContext,
  { q, limit }: { q: string; limit: number },
): Promise<{ data: FoundView[]; meta: { limit: number; more: boolean } }> {
  const words = beginningsOf(q);
  const found =
    words === null
      ? []
      : await searchSessions(ctx.assistant.database.db, { owner: ctx.actor.ref, words, limit: limit + 1 });
  return {
    data: found.slice(0, limit).map(({ is_titled: isTitled, content, ...row }) => ({
      ...row,
      matches: isTitled ? "title" : "message",
      excerpt: excerptOf(content ?? row.title, queryWords(q)),
    })),
    meta: { limit, more: found.length > limit },
  };
}

interface ShownMessage extends Omit<MessageRow, "memory"> {
  tool_calls: RememberedCall[];
  skills: string[];
}

const shown = ({ memory, ...message }: MessageRow): ShownMessage => ({
  ...message,
  tool_calls: (memory?.turns ?? []).flatMap(({ calls }) => calls),
  skills: memory?.skills ?? [],
});

export async function getMessages(
  ctx: AssistantContext,
  sessionId: string,
  page: Page,
): Promise<Listed<ShownMessage>> {
  const db = ctx.assistant.database.db;
  const session = isUuid(sessionId) ? await findSession(db, ctx.actor.ref, sessionId) : null;
  if (session === null) throw unknownSession();
  const { rows, total } = await listMessages(db, session.id, page);
  return listed({ rows: rows.map(shown), total }, page);
}

/** The assistant does not change the title afterwards. */
export async function renameSession(ctx: AssistantContext, id: string, title: string): Promise<void> {
  const { database } = ctx.assistant;
  const change = { id, owner: ctx.actor.ref, title, at: ctx.now() };
  await inTransaction(database, async (tx) => {
    if (!isUuid(id) || !(await setTitle(tx, change))) throw unknownSession();
    await writeAudit(tx, ctx, { operation: "patchSessionTitle", subject: `session:${id}` });
  });
}

/** Deletes the rows of live runs as well, and notifies their workers and readers. */
export async function removeSession(ctx: AssistantContext, id: string): Promise<void> {
  const { database } = ctx.assistant;
  await inTransaction(database, async (tx) => {
    const runs = isUuid(id) ? await deleteSession(tx, ctx.actor.ref, id) : null;
    if (runs === null) throw unknownSession();
    for (const run of runs) {
      await notifyStop(tx, run);
      await notifyReaders(tx, run);
    }
    await writeAudit(tx, ctx, { operation: "deleteSession", subject: `session:${id}` });
  });
}

export const unknownSession = (): Error =>
  assistantFailure("ASSISTANT_UNKNOWN_SESSION", { message: "There is no such session." });
