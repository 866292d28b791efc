/** Pure. The headers that prove a message's origin and age to its receiver (Standard Webhooks 1.0). */
import { createHmac } from "node:crypto";

export interface Message {
  id: string;
  /** Time of this attempt; receivers refuse messages that are more than a few minutes old. */
  at: Date;
  body: string;
}

const prefix = "whsec_";

/** One signature per secret, so that secrets can be rotated. */
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
