/**
 * Encrypts secrets of users where they are stored: AES-256-GCM under a key of the installation. While keys are changed there
 * are several; a sealed value names the one that it was sealed with.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

export interface SecretBox {
  /** `about` binds it to one owner: opened for another it is refused. */
  seal(content: Buffer, about: string): Buffer;
  /** Null when it was sealed under a key that is not here or for another owner, or was changed. */
  open(sealed: Buffer, about: string): Buffer | null;
  /** A 32-byte key derived for one purpose; it reveals nothing of the key or of other derived keys. */
  derive(purpose: string): Buffer;
  /** The same of every key, beginning with that of `derive`: what was made before the keys were changed is recognised by it. */
  deriveAll(purpose: string): Buffer[];
}

/** One key of an installation. */
export interface InstallationKey {
  key: Buffer;
  /** Identifies it without revealing it. */
  fingerprint: string;
}

export interface KeyChoice {
  /** The key that seals. */
  sealing: InstallationKey;
  /** All keys that open; the one that seals may be among them. */
  all: readonly InstallationKey[];
  /** Whether what is sealed names its key. Programs from before names can't open what does. */
  naming: boolean;
}

/** A box whose keys can be replaced while it is used. */
export interface KeyRing extends SecretBox {
  use(choice: KeyChoice): void;
}

export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipherName = "aes-256-gcm";
/** Begins a sealed value that names its key; the bytes of the name follow. */
const mark = Buffer.from("PLK1");
const nameBytes = 8;

export function installationKey(key: Buffer): InstallationKey {
  if (key.length !== keyBytes) throw new Error(`A key has ${keyBytes} bytes, this one has ${key.length}.`);
  return { key, fingerprint: derive(key, "fingerprint").toString("hex").slice(0, fingerprintLetters) };
}

const fingerprintLetters = 32;

export function createSecretBox(key: Buffer): SecretBox {
  const sealing = installationKey(key);
  return createKeyRing({ sealing, all: [sealing], naming: true });
}

export function createKeyRing(first: KeyChoice): KeyRing {
  let { sealing, naming } = first;
  let keys = inOrder(first);
  return {
    use(choice) {
      ({ sealing, naming } = choice);
      keys = inOrder(choice);
    },
    derive: (purpose) => derive(sealing.key, purpose),
    deriveAll: (purpose) => keys.map(({ key }) => derive(key, purpose)),
    seal: (content, about) => encrypt(sealing.key, content, { head: naming ? headOf(sealing) : none, about }),
    open(sealed, about) {
      const named = keys.find((each) => beginsWith(sealed, headOf(each)));
      const opened = named && decrypt(named.key, sealed, { head: headOf(named), about });
      if (opened) return opened;
      for (const { key } of keys) {
        const content = decrypt(key, sealed, { head: none, about });
        if (content !== null) return content;
      }
      return null;
    },
  };
}

/** What begins every value that was sealed with this key. */
export const headOf = ({ fingerprint }: Pick<InstallationKey, "fingerprint">): Buffer =>
  Buffer.concat([mark, Buffer.from(fingerprint, "hex").subarray(0, nameBytes)]);

/** As many bytes of a sealed value as no other one begins with. */
export const distinctBytes = mark.length + nameBytes + nonceBytes + tagBytes;

const none = Buffer.alloc(0);

const inOrder = ({ sealing, all }: KeyChoice): InstallationKey[] => [
  sealing,
  ...all.filter(({ fingerprint }) => fingerprint !== sealing.fingerprint),
];

const beginsWith = (sealed: Buffer, head: Buffer): boolean => sealed.subarray(0, head.length).equals(head);

const derive = (key: Buffer, purpose: string): Buffer =>
  createHmac("sha256", key).update(`plinth derive ${purpose}`).digest();

interface Binding {
  head: Buffer;
  about: string;
}

const boundTo = ({ head, about }: Binding): Buffer => Buffer.concat([head, Buffer.from(about)]);

function encrypt(key: Buffer, content: Buffer, binding: Binding): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(boundTo(binding));
  const body = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([binding.head, nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, whole: Buffer, binding: Binding): Buffer | null {
  try {
    const sealed = whole.subarray(binding.head.length);
    const nonce = sealed.subarray(0, nonceBytes);
    const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundTo(binding));
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}
