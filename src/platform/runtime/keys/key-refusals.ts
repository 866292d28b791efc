/** Why a process can't work with the keys of the installation that it has. */
import { Failure } from "../../errors/failure.ts";
import type { InstallationKey } from "../../lib/secrets/secret-box.ts";
import type { ConfiguredKeys } from "./configured-keys.ts";

/** What `forgetKey` says where the database is older than fingerprints are. */
export const unrecorded = "unrecorded";

export const missingFile = (missing: readonly string[], keys: ConfiguredKeys): Failure =>
  refusal(`There is no key of the installation: ${keys.place.file} is missing.`, missing, keys);

/** Where the database names no key, only a start can tell: it looks at what is stored. */
export const unknownFile = ({ place }: ConfiguredKeys): Failure =>
  new Failure({
    kind: "unavailable",
    code: "PLATFORM_INSTALLATION_KEY",
    message: `There is no key of the installation: ${place.file} is missing, and the database names none.`,
    solutions: [
      "Start a server with this data directory: it makes the key where the former ones open all that is stored.",
    ],
  });

export const strangeKey = (keys: ConfiguredKeys): Failure =>
  refusal(`The key in ${keys.place.name} does not open the secrets in the database.`, [], keys);

export function missingKeys(missing: readonly string[], keys: ConfiguredKeys): Failure {
  const what =
    keys.former.length === 0
      ? `The key in ${keys.place.name} is not the one that the secrets in the database are sealed with`
      : `Secrets in the database may be sealed with a key that is neither in ${keys.place.name} nor among the former ones`;
  return refusal(`${what} (fingerprint ${missing.join(", ")}).`, missing, keys);
}

function refusal(message: string, missing: readonly string[], { place }: ConfiguredKeys): Failure {
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_INSTALLATION_KEY",
    message,
    solutions: [
      `Restore ${place.file} from the backup that the database is from, or set mesh.builder.instantiations.secretKey to that key.`,
      "Give all processes of the installation the same key: each data directory without the setting has one of its own.",
      "While keys are changed give the former one too, in mesh.builder.instantiations.formerSecretKeys, until `plinth admin rekey` says that nothing is sealed with it.",
      `If the key is lost for good, start once with mesh.builder.instantiations.forgetKey: ${missing[0] ?? unrecorded}. Then give the keys of models and the secrets of external agents again.`,
    ],
  });
}

export const stillSealing = (processes: readonly string[], { fingerprint }: InstallationKey): Failure =>
  new Failure({
    kind: "conflict",
    code: "PLATFORM_INSTALLATION_KEY",
    message: `Nothing is finished while processes seal with another key than ${fingerprint}: ${processes.join("; ")} (host and process id).`,
    solutions: [
      "Give them the key as mesh.builder.instantiations.secretKey, with the former one in formerSecretKeys, and start them again.",
      "Then repeat the command.",
    ],
  });
