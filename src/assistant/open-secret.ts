/** Opens stored secrets; one that can't be opened is an error and never treated as missing. */
import type { SecretBox } from "../platform/lib/secrets/secret-box.ts";
import { assistantFailure } from "./error-codes.ts";

interface Sealed {
  sealed: Buffer;
  /** The context that it was sealed for. */
  about: string;
  /** The owner, for the message. */
  what: string;
}

/** Throws ASSISTANT_SECRET_UNREADABLE when it was sealed with another key or for another context, or was changed. */
export function openSecret(box: Pick<SecretBox, "open">, { sealed, about, what }: Sealed): string {
  const opened = box.open(sealed, about);
  if (opened !== null) return opened.toString("utf8");
  throw assistantFailure("ASSISTANT_SECRET_UNREADABLE", {
    message: `The stored secrets of ${what} can't be opened with the key of this installation. Give them again.`,
  });
}
