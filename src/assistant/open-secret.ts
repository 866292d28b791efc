/** Stored secrets are opened here; one that can't be opened is never taken for none. */
import type { SecretBox } from "../platform/lib/secret-box.ts";
import { assistantFailure } from "./error-codes.ts";

interface Sealed {
  sealed: Buffer;
  /** What it was sealed for. */
  about: string;
  /** Whose it is, for the message. */
  what: string;
}

/** Throws a Failure ASSISTANT_SECRET_UNREADABLE where it was sealed under another key, for another owner, or was changed. */
export function openSecret(box: Pick<SecretBox, "open">, { sealed, about, what }: Sealed): string {
  const opened = box.open(sealed, about);
  if (opened !== null) return opened.toString("utf8");
  throw assistantFailure("ASSISTANT_SECRET_UNREADABLE", {
    message: `The stored secrets of ${what} can't be opened with the key of this installation. Give them again.`,
  });
}
