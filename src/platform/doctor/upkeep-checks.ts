/** What an installation does for itself: it deletes old rows, seals the audit, and seals secrets with a key. */
import type { AuditChain } from "../audit/seal.ts";
import { readChainStatus, type ChainStatus } from "../audit/verify.ts";
import type { Config } from "../config/schema/schema.ts";
import type { Db } from "../db/database.ts";
import { readKeys } from "../db/installation-key.ts";
import { readStates } from "../jobs/retention-store.ts";
import { headOf, type InstallationKey } from "../lib/secrets/secret-box.ts";
import { readConfiguredKeys } from "../runtime/keys/configured-keys.ts";
import type { SealedPlace } from "../runtime/keys/sealed-place.ts";
import {
  ageOf,
  counted,
  databaseCheck,
  governanceDatabaseCheck,
  ok,
  problem,
  warning,
  type Check,
  type Finding,
} from "../lib/check.ts";

export const retentionCheck = (db: Db): Check => ({
  name: "retention",
  guide: "monitoring.md#plinthretentionfails",
  needs: databaseCheck,
  async look() {
    const states = [...(await readStates(db)).values()];
    const failing = states.filter(({ failure }) => failure !== null);
    if (failing.length > 0)
      return warning(
        `The last batch failed of: ${failing.map(({ rule }) => rule).join(", ")}. Those rows stay, and their tables grow.`,
        "Run `plinth admin retention`, and read the log of workers for the reason.",
      );
    return ok(
      states.length === 0
        ? "Old rows have not been looked at yet."
        : `Rules that delete old rows: ${states.length}; none fails.`,
    );
  },
});

/** Rows are sealed within seconds. */
const unsealedSeconds = 600;

export const auditCheck = (chain: AuditChain, now: () => number): Check => ({
  name: `audit of ${chain.name}`,
  guide: "audit.md#verify-it",
  needs: chain.name === "governance" ? governanceDatabaseCheck : databaseCheck,
  look: async () => auditFinding(await readChainStatus(chain), now()),
});

export function auditFinding({ head, isSigned, tail }: ChainStatus, now: number): Finding {
  const verify = "Run `plinth audit verify`, and keep a copy of the database before anything is changed.";
  if (head === null) return problem("The end of the chain is missing: somebody has deleted it.", verify);
  if (!isSigned || head.unsignedAt !== null)
    return problem("The end of the chain is not the one that this installation has signed.", verify);
  const { rows, oldestAt } = tail;
  const seconds = oldestAt === null ? 0 : (now - Date.parse(oldestAt)) / 1_000;
  if (rows > 0 && seconds > unsealedSeconds)
    return warning(
      `Rows that wait to be sealed: ${rows}, the oldest for ${ageOf(seconds)}.`,
      "Look whether a worker runs, and whether its log says that the audit could not be sealed.",
    );
  return ok(
    `Its end is signed, after ${counted(head.seq, "row")}. Whether every row is what was written, \`plinth audit verify\` says.`,
  );
}

export interface KeyParts {
  config: Pick<Config, "dataDir" | "mesh">;
  db: Db;
  places: () => Promise<readonly SealedPlace[]>;
}

export const keysCheck = ({ config, db, places }: KeyParts): Check => ({
  name: "installation key",
  guide: "keys.md#the-installation-key",
  needs: databaseCheck,
  async look() {
    const { current, former } = await readConfiguredKeys(config);
    const { fingerprints } = await readKeys(db);
    if (current === null)
      return problem(
        "The file of the key is not there: after its next start a process cannot open any stored secret.",
        "Put the key back from its copy.",
      );
    const here = new Set([current, ...former].map(({ fingerprint }) => fingerprint));
    const missing = fingerprints.filter((each) => !here.has(each));
    if (missing.length > 0)
      return problem(
        `Stored secrets may be sealed with a key that is not configured here: ${missing.map(shown).join(", ")}.`,
        "Configure it as a former key; without it what it has sealed stays closed, and the next start is refused.",
      );
    return sealedFinding(await countOthers(db, current, await places()), fingerprints);
  },
});

const shown = (fingerprint: string): string => fingerprint.slice(0, 8);

async function countOthers(db: Db, key: InstallationKey, places: readonly SealedPlace[]): Promise<number> {
  const counts = await Promise.all(places.map((place) => place.count(db, headOf(key))));
  return counts.reduce((sum, count) => sum + count, 0);
}

function sealedFinding(others: number, recorded: readonly string[]): Finding {
  if (recorded.length > 1)
    return warning(
      `Stored secrets may be sealed with ${recorded.length} keys; not sealed with the present one: ${counted(others, "value")}.`,
      "Finish the change of keys: `plinth admin rekey`.",
    );
  return ok("Every key that stored secrets are sealed with is configured.");
}
