/** The keys of the installation in a process: read, held against the database, exchanged while it works. */
import type { Config } from "../../config/schema/schema.ts";
import { keysChannel } from "../../db/installation-key.ts";
import { startRounds } from "../../jobs/rounds.ts";
import type { Logger } from "../../lib/logger.ts";
import { createKeyRing, type SecretBox } from "../../lib/secrets/secret-box.ts";
import { createClaimer, type Claim, type ClaimOptions } from "./claim-keys.ts";
import { createOneByOne } from "../../lib/one-by-one.ts";

export interface KeyOptions extends ClaimOptions {
  /** How often a process looks whether all others know its new key. */
  retryMs?: number;
}

export interface InstallationKeys {
  /** Seals and opens with the keys of the moment. */
  secrets: SecretBox;
  /**
   * Reads the keys anew. Rejects as a start does, and then nothing has changed; otherwise the function that it resolves with takes
   * them into use, and has to be called.
   */
  reload(config: Config): Promise<() => void>;
  close(): Promise<void>;
}

const usualRetryMs = 5_000;
/** A process that waits for nothing looks all the same, in case a notice was lost. */
const idleMs = 600_000;

/** Rejects with a Failure PLATFORM_INSTALLATION_KEY where the database has secrets of a key that is not here. */
export async function openInstallationKeys(config: Config, options: KeyOptions): Promise<InstallationKeys> {
  const { database, log, retryMs = usualRetryMs } = options;
  const claimer = createClaimer(options);
  let configured = config;
  let present = await claimer(config);
  const ring = createKeyRing(present.choice);
  if (present.isPending) announce(present, log);
  const take = (next: Claim): void => {
    const isNews = next.isPending || sealing(next) !== sealing(present);
    const isOther = opening(next).join() !== opening(present).join();
    present = next;
    ring.use(next.choice);
    if (isNews) announce(next, log);
    else if (isOther)
      log.info({ opening: opening(next) }, "other former keys of the installation from now on");
  };
  // One at a time: a reload, and a look at the others.
  const oneByOne = createOneByOne();
  let isClaimed = true;
  const rounds = startRounds({
    async round() {
      if (!isClaimed) await oneByOne(async () => take(await claimer(configured)));
      isClaimed = false;
    },
    idleMs: () => (present.isPending ? retryMs : idleMs),
    log,
    what: "the keys of the installation",
  });
  const stopListening = await database.listener.listen(keysChannel, () => rounds.wake());
  return {
    secrets: ring,
    reload: (next) =>
      oneByOne(async () => {
        const claimed = await claimer(next);
        return () => {
          configured = next;
          take(claimed);
          rounds.wake();
        };
      }),
    async close() {
      stopListening();
      await rounds.close();
    },
  };
}

const sealing = ({ choice }: Claim): string => choice.sealing.fingerprint;
const opening = ({ choice }: Claim): string[] => choice.all.map(({ fingerprint }) => fingerprint);

function announce(claim: Claim, log: Logger): void {
  const { isPending, waitsFor } = claim;
  const fields = { sealing: sealing(claim), opening: opening(claim) };
  if (isPending)
    log.warn({ ...fields, waitsFor }, "the new key of the installation waits until all processes know it");
  else log.info(fields, "secrets are sealed with another key of the installation from now on");
}
