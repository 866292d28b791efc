/**
 * Starts that happen once under a key: the key is taken, the start accepted and the token kept in one transaction. Of
 * simultaneous requests under one key the others wait for the first; one that was refused leaves no trace of its key.
 */
import type { Transaction } from "kysely";
import { inTransaction } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../context.ts";
import { hashValue } from "../descriptor/hash.ts";
import { claimKey, keepToken } from "./key-store.ts";

export interface OnceUnder {
  /** Keys of one operation say nothing about another; those of one caller nothing about another's. */
  operation: string;
  key: string | undefined;
}

/** Answers the token of `accept`, or of the start that was accepted before under the same key with the same request. */
export function startOnce(
  ctx: CoordinatorContext,
  { under, request }: { under: OnceUnder; request: object },
  accept: (tx: Transaction<unknown>) => Promise<string>,
): Promise<string> {
  const { database, settings } = ctx.coordinator;
  return inTransaction(database, async (tx) => {
    const { operation, key } = under;
    if (key === undefined) return accept(tx);
    const id = { actor: ctx.actor.ref, operation, key };
    const fingerprint = hashValue(request);
    const now = ctx.now();
    const expiresAt = new Date(now.getTime() + settings.idempotencyKeyMs);
    const known = await claimKey(tx, { ...id, fingerprint, now, expiresAt });
    if (known && known.fingerprint !== fingerprint) throw clash(key);
    if (known) return known.token;
    const token = await accept(tx);
    await keepToken(tx, id, token);
    return token;
  });
}

function clash(key: string): Failure {
  const message = "Another request was sent under this Idempotency-Key.";
  const solution = "Send what was sent first under this key, or use a fresh key for another request.";
  return new Failure({
    kind: "conflict",
    code: "COORD_IDEMPOTENCY_KEY_REUSED",
    message,
    problems: [{ where: "idempotency-key", message, solution }],
    input: key,
  });
}
