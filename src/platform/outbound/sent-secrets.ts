/** Collects the secrets of a call, so that they can be masked where the peer repeats them. */
import { createMask, textsIn, type Mask } from "../lib/secrets/mask.ts";
import { mayBeSecretName } from "../lib/secrets/secret-names.ts";

export interface SentCall {
  url?: string;
  headers?: Readonly<Record<string, string>>;
  /** What is sent as JSON. */
  body?: unknown;
}

export interface SentSecrets {
  /** Remembers the secrets of a call. */
  note(call: SentCall): void;
  /** A mask for all secrets sent so far. */
  mask(): Mask;
}

/** Shorter ones are words like any other: local models take “none” or “ollama” for a key. */
const shortest = 8;
/** Maximum number of secrets remembered; short-lived tokens differ each time. */
const maxRemembered = 50;

/** `always` are secrets of the peer that are known before the first call. */
export function createSentSecrets(always: readonly string[] = []): SentSecrets {
  const fixed = always.filter(isLong);
  const noted = new Set<string>();
  let mask: Mask | null = null;
  return {
    note(call) {
      for (const secret of secretsIn(call)) {
        if (noted.has(secret)) continue;
        noted.add(secret);
        mask = null;
        const [oldest] = noted;
        if (noted.size > maxRemembered && oldest !== undefined) noted.delete(oldest);
      }
    },
    mask: () => (mask ??= createMask([...fixed, ...noted])),
  };
}

const isLong = (text: string): boolean => text.length >= shortest;

/** Values that stand under such a name, and the credentials in them: `Bearer <token>`, `Basic <user:password>`. */
export function secretsIn({ url, headers = {}, body }: SentCall): string[] {
  const query = url === undefined ? [] : [...(URL.parse(url)?.searchParams ?? [])];
  const named = [...Object.entries(headers), ...query].filter(([name]) => mayBeSecretName(name));
  return [...named.map(([, value]) => value), ...textsUnderNames(body)].flatMap(credentialsIn).filter(isLong);
}

function textsUnderNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    mayBeSecretName(name) ? textsIn(item) : textsUnderNames(item),
  );
}

function credentialsIn(value: string): string[] {
  const [scheme = "", rest] = value.split(/\s+(.*)/s);
  if (rest === undefined) return [value];
  return /^basic$/i.test(scheme) ? [value, rest, ...passwordIn(rest)] : [value, rest];
}

const passwordIn = (basic: string): string[] => {
  const pair = Buffer.from(basic, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? [] : [pair.slice(colon + 1)];
};
