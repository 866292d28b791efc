/**
 * Idempotent starts: the key is claimed, the start accepted and the token stored in one transaction.
 * Concurrent requests with one key wait for the first; a refused request stores no key.
 */
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import { coordinatorFailure } from "../errors.ts";
import type { CoordinatorContext } from "../context.ts";
import { hashValue } from "../planning/descriptor/hash.ts";
import { claimKey, readKey, storeToken, type KnownKey } from "./key-store.ts";

export interface OnceUnder {
  /** Keys are scoped by operation and caller. */
  operation: string;
  key: string | undefined;
}

export interface Once {
  under: OnceUnder;
  request: object;
}

/** Returns the token of `accept`, or of the earlier start with the same key and request. */
export function startOnce(
  ctx: CoordinatorContext,
  { under, request }: Once,
  accept: (tx: Transaction) => Promise<string>,
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
    if (known) return tokenOf(known, key, fingerprint);
    const token = await accept(tx);
    await storeToken(tx, id, token);
    return token;
  });
}

/**
 * The same for a start that is checked before the transaction. Where the check fails, the earlier start is looked for: what was
 * accepted stays accepted, whatever has changed since.
 */
export async function startOnceChecked<Checked>(
  ctx: CoordinatorContext,
  once: Once,
  { check, accept }: StartSteps<Checked>,
): Promise<string> {
  let checked: Checked;
  try {
    checked = await check();
  } catch (error) {
    const before = await startedBefore(ctx, once);
    if (before !== null) return before;
    throw error;
  }
  return startOnce(ctx, once, (tx) => accept(tx, checked));
}

interface StartSteps<Checked> {
  check: () => Promise<Checked>;
  accept: (tx: Transaction, checked: Checked) => Promise<string>;
}

/** The token of the earlier start with the same key and request; null where there is none. */
async function startedBefore(ctx: CoordinatorContext, { under, request }: Once): Promise<string | null> {
  const { operation, key } = under;
  if (key === undefined) return null;
  const id = { actor: ctx.actor.ref, operation, key };
  const known = await readKey(ctx.coordinator.database.db, { ...id, now: ctx.now() });
  return known && tokenOf(known, key, hashValue(request));
}

function tokenOf(known: KnownKey, key: string, fingerprint: string): string {
  if (known.fingerprint !== fingerprint) throw clash(key);
  return known.token;
}

function clash(key: string): Failure {
  const message = "Another request was sent under this Idempotency-Key.";
  const solution = "Send what was sent first under this key, or use a fresh key for another request.";
  return coordinatorFailure("COORD_IDEMPOTENCY_KEY_REUSED", {
    message,
    where: "idempotency-key",
    solution,
    input: key,
  });
}
