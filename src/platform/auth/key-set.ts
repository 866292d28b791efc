import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from "jose";
import type { Logger } from "../lib/logger.ts";
import { authFailure } from "./errors.ts";

/** Keys are read again when they are old or a token names one that is not there, but never in a hurry. */
const keySetLimits = {
  maxAgeMs: 600_000,
  /** How long old keys are good while new ones cannot be read. */
  maxStaleMs: 86_400_000,
  unknownKeyPauseMs: 30_000,
  failurePauseMs: 5000,
  keys: 100,
} as const;

export interface KeySetOptions {
  /** Reads the document with the keys; throws when it cannot. */
  load: () => Promise<unknown>;
  log: Logger;
  now: () => Date;
}

interface KeySet {
  /** For tokens that anybody may send: those with an unknown key are refused until the keys may be read again. */
  find: KeyFinder;
  /**
   * For tokens that the issuer itself has just handed to this server. Strangers can't keep the keys from being read for them, and none is
   * refused by a list of keys that may be older than the token: that is `unavailable`.
   */
  findIssued: KeyFinder;
}

export type KeyFinder = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

interface State {
  find: ReturnType<typeof createLocalJWKSet>;
  loadedAtMs: number;
}

/**
 * Finds the public key of a token. Both functions throw jose's JWKSNoMatchingKey when the issuer does not publish the key, and
 * `unavailable` when the issuer's keys cannot be read; the token may still be good then. `findIssued` also throws `unavailable`
 * when the key is missing but the keys were read so recently that they may not be read again yet.
 */
export function createKeySet({ load, log, now }: KeySetOptions): KeySet {
  let state: State | undefined;
  let attempt = { atMs: Number.NEGATIVE_INFINITY, failed: false };
  let running: Promise<boolean> | undefined;
  /** When the keys were read for a token that the issuer had handed out. */
  let readForIssuedMs = Number.NEGATIVE_INFINITY;

  const refresh = (): Promise<boolean> => {
    running ??= readOnce().finally(() => {
      running = undefined;
    });
    return running;
  };
  const readOnce = async (): Promise<boolean> => {
    const atMs = now().getTime();
    try {
      const find = createLocalJWKSet(readKeys(await load()));
      state = { find, loadedAtMs: atMs };
      attempt = { atMs, failed: false };
      return true;
    } catch (error) {
      attempt = { atMs, failed: true };
      log.warn({ reason: error instanceof Error ? error.message : "unknown" }, "signing keys cannot be read");
      return false;
    }
  };
  const pausedFor = (pauseMs: number): boolean => now().getTime() - attempt.atMs < pauseMs;
  const ageMs = (): number => (state ? now().getTime() - state.loadedAtMs : Number.POSITIVE_INFINITY);

  const readForRequest = async (): Promise<number> => {
    const pauseMs = attempt.failed ? keySetLimits.failurePauseMs : keySetLimits.unknownKeyPauseMs;
    if (!pausedFor(pauseMs)) await refresh();
    return 0;
  };
  const readForIssued = async (): Promise<number> => {
    if (attempt.failed && pausedFor(keySetLimits.failurePauseMs)) return 0;
    const leftMs = readForIssuedMs + keySetLimits.unknownKeyPauseMs - now().getTime();
    // One that is under way may have begun before the issuer had this key.
    await running;
    if (leftMs > 0) return leftMs;
    readForIssuedMs = now().getTime();
    await refresh();
    if (attempt.failed) readForIssuedMs = Number.NEGATIVE_INFINITY;
    return 0;
  };

  /** @param readAgain resolves to how long to wait until the keys say whether there is one: 0 where they do now. */
  const finderWith =
    (readAgain: () => Promise<number>): KeyFinder =>
    async (header, token) => {
      if (ageMs() > keySetLimits.maxAgeMs && !(attempt.failed && pausedFor(keySetLimits.failurePauseMs))) {
        await refresh();
      }
      if (!state || ageMs() > keySetLimits.maxStaleMs) throw unavailable();
      try {
        return await state.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      const leftMs = await readAgain();
      // The key may be among those that could not be read; only a fresh list without it is an answer.
      if (attempt.failed) throw unavailable();
      try {
        return await state.find(header, token);
      } catch (error) {
        throw leftMs > 0 && error instanceof errors.JWKSNoMatchingKey ? notYetAgain(leftMs) : error;
      }
    };
  return { find: finderWith(readForRequest), findIssued: finderWith(readForIssued) };
}

const unavailable = () =>
  authFailure(
    "PLATFORM_AUTH_UNAVAILABLE",
    "The token cannot be checked now: the keys of its issuer cannot be read.",
    { retryAfterSeconds: Math.ceil(keySetLimits.failurePauseMs / 1000) },
  );

const notYetAgain = (leftMs: number) =>
  authFailure(
    "PLATFORM_AUTH_UNAVAILABLE",
    "The token cannot be checked now: its key is not among those that its issuer published a moment ago.",
    { retryAfterSeconds: Math.ceil(leftMs / 1000) },
  );

/** What an issuer publishes is outside data too. */
function readKeys(document: unknown): JSONWebKeySet {
  if (typeof document !== "object" || document === null || !("keys" in document)) {
    throw new Error("the answer is not a key set");
  }
  const { keys } = document;
  if (!Array.isArray(keys) || keys.length > keySetLimits.keys)
    throw new Error("the answer is not a usable key set");
  const listed: unknown[] = keys;
  return { keys: listed.filter((key) => isPublicKey(key)) };
}

/** A symmetric key in a public document is not secret, so nothing may be verified with it. */
const isPublicKey = (key: unknown): key is JSONWebKeySet["keys"][number] =>
  typeof key === "object" &&
  key !== null &&
  "kty" in key &&
  typeof key.kty === "string" &&
  ["RSA", "EC", "OKP"].includes(key.kty);
