import { closeSync, openSync, writeSync } from "node:fs";
import type { Operation } from "./behaviour.ts";

/** One call as it arrived. */
export interface JournalEntry {
  sequence: number;
  time: string;
  method: string;
  path: string;
  operation: Operation | "poll" | "terminate" | "other";
  componentId: string | null;
  idempotencyKey: string | null;
  traceparent: string | null;
  /** sha256 of the body in hex; null for calls without one. */
  bodyHash: string | null;
  /** The call had its effect. False for a repeat and for a call that was refused or cut off before. */
  acted: boolean;
  /** The same idempotency key was acted upon before. */
  repeat: boolean;
  /** A repeat whose body is not the one that was acted upon: the coordinator must never do that. */
  otherBody: boolean;
  token: string | null;
  /** The malformed answer that was sent instead of the correct one. */
  odd: string | null;
}

/** The effect of one operation on a component, over all calls. */
export interface Effect {
  componentId: string | null;
  operation: Operation;
  acted: number;
  repeats: number;
  /** Idempotency keys acted upon, in order; null where a call had none. */
  keys: (string | null)[];
}

export interface Journal {
  add(entry: Omit<JournalEntry, "sequence" | "time">): void;
  entries(): JournalEntry[];
  effects(): Effect[];
  clear(): void;
  close(): void;
}

/** Maximum number of entries in memory; a journal file has all. */
const maxEntries = 500_000;

/**
 * The record of all calls. With a file every entry is written before the call is answered, so that tests that
 * kill processes can rely on it. `now` gives the time of the entries.
 */
export function createJournal(now: () => Date, file?: string): Journal {
  const descriptor = file === undefined ? null : openSync(file, "a");
  let entries: JournalEntry[] = [];
  let effects = new Map<string, Effect>();
  let sequence = 0;

  const countEffect = (entry: JournalEntry) => {
    const { operation, componentId } = entry;
    if (operation === "poll" || operation === "terminate" || operation === "other") return;
    const key = `${operation} ${componentId}`;
    const effect = effects.get(key) ?? { componentId, operation, acted: 0, repeats: 0, keys: [] };
    effects.set(key, effect);
    if (entry.repeat) effect.repeats++;
    if (!entry.acted) return;
    effect.acted++;
    effect.keys.push(entry.idempotencyKey);
  };

  return {
    add(partial) {
      const entry: JournalEntry = { sequence: ++sequence, time: now().toISOString(), ...partial };
      if (descriptor !== null) writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      entries.push(entry);
      if (entries.length > maxEntries * 1.1) entries = entries.slice(-maxEntries);
      countEffect(entry);
    },
    entries: () => entries,
    effects: () => [...effects.values()],
    clear() {
      entries = [];
      effects = new Map();
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}
