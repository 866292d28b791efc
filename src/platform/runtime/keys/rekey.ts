/**
 * Seals everything with the present key that is sealed with another one, or does not name its key. It keeps no state: what is still
 * to be done is what does not begin with the name of the present key. So it can be killed and repeated at any moment, and may run
 * beside processes that seal and open.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/schema/schema.ts";
import { inTransaction, type Db, type Transaction } from "../../db/database.ts";
import { lockKeys, notifyKeys, removeKeys } from "../../db/installation-key.ts";
import { whoSays } from "../../db/presence.ts";
import {
  createKeyRing,
  distinctBytes,
  headOf,
  type InstallationKey,
  type SecretBox,
} from "../../lib/secrets/secret-box.ts";
import { createClaimer, nameKeys, type ClaimOptions } from "./claim-keys.ts";
import { readConfiguredKeys, sealsWith } from "./configured-keys.ts";
import { missingFile, stillSealing } from "./key-refusals.ts";
import type { SealedPlace, SealedValue, SignedPlace } from "./sealed-place.ts";

export interface RekeyOptions extends ClaimOptions {
  config: Config;
  places: readonly SealedPlace[];
  /** What is signed with keys that are derived from those of the installation. */
  signed: (secrets: SecretBox) => readonly SignedPlace[];
  /** Changes nothing and says what there is to do. */
  dryRun: boolean;
  /** How long to wait until all processes seal with the present key. */
  waitMs: number;
  signal: AbortSignal;
  /** Told after each batch, with what was sealed in the place so far. */
  onProgress?: (place: string, sealed: number) => void;
}

export interface RekeyReport {
  /** Fingerprint of the present key. */
  key: string;
  places: PlaceReport[];
  /** The other configured keys: what is sealed with them. */
  otherKeys: { fingerprint: string; left: number }[];
  /** Processes that do not seal with the present key. */
  waitsFor: string[];
}

export interface PlaceReport {
  name: string;
  /** What was sealed anew by this run. */
  sealed: number;
  /** What is still to be sealed anew. */
  left: number;
  /** What no configured key opens; it stays as it is. */
  unreadable: number;
}

/** Rejects with a Failure PLATFORM_INSTALLATION_KEY where the keys do not fit, or a process goes on sealing with another one. */
export async function rekey(options: RekeyOptions): Promise<RekeyReport> {
  const { database, dryRun } = options;
  const run = await begin(options);
  if (dryRun) {
    const visits = await visitAll(options, run);
    return report(visits, run, await whoLacks(options, run));
  }
  const sealedBefore = new Map<string, number>();
  for (;;) {
    const visits = await visitAll(options, run);
    for (const { name, sealed } of visits) sealedBefore.set(name, (sealedBefore.get(name) ?? 0) + sealed);
    const isOver = await inTransaction(database, (tx) => finish(tx, options, { run, visits }));
    if (!isOver) continue;
    const whole = visits.map((visit) => ({
      ...visit,
      sealed: sealedBefore.get(visit.name) ?? 0,
      opened: new Map<string, number>(),
    }));
    return report(whole, run, []);
  }
}

interface Run {
  key: InstallationKey;
  keys: readonly InstallationKey[];
}

/** Claims the present key as a process does that starts, and waits until all seal with it under its name. */
async function begin(options: RekeyOptions): Promise<Run> {
  const { config, database, dryRun, log, waitMs, signal } = options;
  const configured = await readConfiguredKeys(config);
  if (dryRun) {
    if (configured.current === null) throw missingFile([], configured);
    return { key: configured.current, keys: [configured.current, ...configured.former] };
  }
  const claim = createClaimer(options);
  let { choice, isPending } = await claim(config);
  if (!choice.naming) {
    await nameKeys(database, log);
    await inTransaction(database, notifyKeys);
  }
  const run = { key: choice.all[0]!, keys: choice.all };
  for (const endMs = performance.now() + waitMs; ; await sleep(lookEveryMs, undefined, { signal })) {
    ({ choice, isPending } = await claim(config));
    const lacking = await whoLacks(options, run);
    if (!isPending && lacking.length === 0) return run;
    if (performance.now() > endMs) throw stillSealing(lacking, run.key);
  }
}

const lookEveryMs = 250;

async function whoLacks({ database }: RekeyOptions, { key }: Run, db: Db = database.db): Promise<string[]> {
  const present = await whoSays(database, db, [sealsWith(key, true)]);
  return present.filter(({ isOwn, says }) => !isOwn && says.length === 0).map(({ name }) => name);
}

interface Visit {
  name: string;
  sealed: number;
  /** By fingerprint of its key: what there was that did not begin with the name of the present one. */
  opened: Map<string, number>;
  unreadable: number;
}

async function visitAll(options: RekeyOptions, run: Run): Promise<Visit[]> {
  const visits = [];
  for (const place of options.places) visits.push(await visitPlace(place, options, run));
  const [sealing] = run.keys;
  const secrets = createKeyRing({ sealing: sealing ?? run.key, all: run.keys, naming: true });
  for (const place of options.signed(secrets)) visits.push(await visitSigned(place, options, run));
  return visits;
}

async function visitSigned(place: SignedPlace, { dryRun }: RekeyOptions, { keys }: Run): Promise<Visit> {
  const signer = await place.signedWith();
  const former = signer === null ? undefined : keys.slice(1)[signer - 1];
  return {
    name: place.name,
    sealed: former !== undefined && !dryRun && (await place.signAgain()) ? 1 : 0,
    opened: new Map(former === undefined ? [] : [[former.fingerprint, 1]]),
    unreadable: signer === -1 ? 1 : 0,
  };
}

/** Seals what the place has, each value by a statement of its own; only looks at it in a dry run. */
async function visitPlace(place: SealedPlace, options: RekeyOptions, { key, keys }: Run): Promise<Visit> {
  const { database, dryRun, signal, onProgress } = options;
  const openers = keys.map((each) => ({ key: each, box: boxOf(each) }));
  const visit: Visit = { name: place.name, sealed: 0, opened: new Map(), unreadable: 0 };
  const take = async ({ id, sealed }: SealedValue): Promise<void> => {
    const about = place.aboutOf(id);
    const opener = openers.find(({ box }) => box.open(sealed, about) !== null);
    const content = opener?.box.open(sealed, about) ?? null;
    if (opener === undefined || content === null) {
      visit.unreadable += 1;
      return;
    }
    const { fingerprint } = opener.key;
    visit.opened.set(fingerprint, (visit.opened.get(fingerprint) ?? 0) + 1);
    if (dryRun) return;
    const before = sealed.subarray(0, distinctBytes);
    const next = boxOf(key).seal(content, about);
    if (await place.replace(database.db, { id, before, sealed: next })) visit.sealed += 1;
  };
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const wanted = { head: headOf(key), after, limit: place.atOnce };
    const values: SealedValue[] = await place.read(database.db, wanted);
    for (const value of values) await take(value);
    const last = values.at(-1);
    if (last === undefined) return visit;
    after = last.id;
    onProgress?.(place.name, visit.sealed);
  }
}

const boxOf = (key: InstallationKey): SecretBox => createKeyRing({ sealing: key, all: [key], naming: true });

/**
 * Whether all is done; then the other keys are not needed any more, and a process that has lost them may start. Holds the lock
 * under which processes choose their keys, so none begins to seal with another one meanwhile.
 */
async function finish(
  tx: Transaction,
  options: RekeyOptions,
  { run, visits }: { run: Run; visits: readonly Visit[] },
): Promise<boolean> {
  const { fingerprints } = await lockKeys(tx);
  const lacking = await whoLacks(options, run, tx);
  if (lacking.length > 0) throw stillSealing(lacking, run.key);
  for (const place of options.places) {
    const { unreadable = 0 } = visits.find(({ name }) => name === place.name) ?? {};
    if ((await place.count(tx, headOf(run.key))) > unreadable) return false;
  }
  await removeKeys(
    tx,
    fingerprints.filter((each) => each !== run.key.fingerprint),
  );
  return true;
}

function report(visits: readonly Visit[], { key, keys }: Run, waitsFor: string[]): RekeyReport {
  const leftOf = ({ opened }: Visit): number => [...opened.values()].reduce((sum, count) => sum + count, 0);
  const others = keys.filter(({ fingerprint }) => fingerprint !== key.fingerprint);
  return {
    key: key.fingerprint,
    places: visits.map((visit) => ({
      name: visit.name,
      sealed: visit.sealed,
      left: leftOf(visit),
      unreadable: visit.unreadable,
    })),
    otherKeys: others.map(({ fingerprint }) => ({
      fingerprint,
      left: visits.reduce((sum, { opened }) => sum + (opened.get(fingerprint) ?? 0), 0),
    })),
    waitsFor,
  };
}
