/** Pure: the headers by which a receiver knows that a message is ours and fresh (Standard Webhooks 1.0). */
import { createHmac } from "node:crypto";

export interface Message {
  id: string;
  /** Of this attempt; receivers refuse what is more than a few minutes old. */
  at: Date;
  body: string;
}

const prefix = "whsec_";

/** One signature for each secret, so that a receiver may know the old one or the new one. */
export function signatureHeaders(
  { id, at, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
