/**
 * Pure: which names of fields, headers and parameters stand for secrets, in any style of writing. The only
 * list of them; all output, logs, audit rows, exports and echoes are checked against it.
 */

/** The words of a name: `dbPassword2`, `DB_PASSWORD` and `db-password` are all `db`, `password`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
}

/** Longer names than people choose count as secret unread. */
const longestName = 256;

/**
 * Whether the value under this name, and everything below it, is a secret. For output that people need: names
 * that only mention a secret (`token_count`, `signature_algorithm`, `password_policy`) are none.
 */
export function isSecretName(name: string): boolean {
  if (name.length > longestName) return true;
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = standsForSecret(name);
  if (verdicts.size >= maxVerdicts) verdicts.clear();
  verdicts.set(name, verdict);
  return verdict;
}

/** The same names come again in every descriptor. */
const maxVerdicts = 5_000;
const verdicts = new Map<string, boolean>();

function standsForSecret(name: string): boolean {
  const words = wordsOf(name);
  if (isCount(words) || (words.length > 1 && aboutSecrets.has(words.at(-1) ?? ""))) return false;
  return words.some((word, at) => isSecretWord(word) || isSecretPair(words[at - 1] ?? "", word));
}

/**
 * The same with more names, where a false positive costs little: echoes of refused input, exports, headers.
 * Any key and any name that mentions a secret counts as well; numbers of tokens do not.
 */
export function mayBeSecretName(name: string): boolean {
  if (name.length > longestName) return true;
  const words = wordsOf(name);
  if (isCount(words)) return false;
  return words.some(
    (word, at) => isSecretWord(word) || wideWord.test(word) || isSecretPair(words[at - 1] ?? "", word),
  );
}

const secretWord = new RegExp(
  [
    "passw",
    "passphrase",
    "passcode",
    "secret(?!ar)",
    "credential",
    "authori[sz]ation",
    "(?:api|access|account|private|shared|encryption|signing|master|session|client|service|license)keys?$",
    "^(?:.*(?:tokens?|pwd|cookies?|signatures?|connectionstrings?)|sig|sas|jwt|otp|totp|psk|pat|bearer|creds?)$",
  ].join("|"),
);

const isSecretWord = (word: string): boolean => secretWord.test(word);

const wideWord = /^auth(?!or)|auth$|keys?$|^pass$|^pin$|^sid$|session|^headers?$|^payload$/;

/** Keys that give access; those of tables, partitions, caches and translations do not. */
const openingKeys =
  /^(?:api|access|account|private|shared|encryption|decryption|signing|master|secret|auth|subscription|license|ssh|gpg|pgp|hmac|aes|rsa|webhook|deploy|functions?|storage|client|admin|role|session|symmetric|server)$/;

const isSecretPair = (before: string, word: string): boolean =>
  (/^keys?$/.test(word) && openingKeys.test(before)) || (/^strings?$/.test(word) && before === "connection");

/** Last words of names that mention a secret without being one. */
const aboutSecrets = new Set(
  (
    "algorithm alg type kind format version url uri endpoint issuer audience name names id ids ref refs path file " +
    "ttl expires expiry expiration lifetime seconds minutes ms at age policy rule rules length size strength count limit " +
    "required enabled present set changed status hint label description title location method scheme field fields"
  ).split(" "),
);

/** Tokens that are counted are pieces of text; those that are not are credentials. */
function isCount(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (countedTokens.test(last)) return true;
  if (last === "tokens") return !openingTokens.test(words.at(-2) ?? "");
  return words.some((word) => /^tokens?$/.test(word)) && counting.has(last);
}

const openingTokens =
  /^(?:access|refresh|api|auth|id|session|bearer|service|personal|bot|security|csrf|xsrf|user|admin|device|push|deploy|secret)$/;

const countedTokens = /^(?:max|min|prompt|completion|input|output|total|cached|num)tokens$/;

const counting = new Set(
  "count counts limit limits budget usage used max min size length cost price rate total".split(" "),
);

export const hiddenSecret = "***";

/** A copy in which every secret, by its name or its form, is masked, and times are texts. The input is not changed. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return maskCredentials(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  // A Date has no entries of its own.
  if (value instanceof Date) return value.toJSON();
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && mayHold(inner) ? hiddenSecret : withoutSecrets(inner),
    ]),
  );
}

/** Whether there is a value at all; whether a secret is set is not confidential. */
export const mayHold = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && typeof value !== "boolean";

/** Masks what looks like a credential in a text: in addresses, connection strings, headers and key files. */
export const maskCredentials = (text: string): string =>
  mayHoldCredential.test(text) ? maskedCredentials(text) : text;

/** What each of the forms below has in it. */
const mayHoldCredential = /:\/\/|=|\b(?:bearer|basic)\s|-----BEGIN /i;

const maskedCredentials = (text: string): string =>
  text
    .replaceAll(/:\/\/[^/@\s]*@/g, `://${hiddenSecret}@`)
    .replaceAll(pairs, `$1=${hiddenSecret}`)
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${hiddenSecret}`)
    .replaceAll(/(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[^-]*/g, `$1${hiddenSecret}`);

const pairs = /\b([\w-]{0,40}(?:passw(?:or)?d|passphrase|pwd|secret|token|sig|signature|key))=[^&;\s]*/gi;
