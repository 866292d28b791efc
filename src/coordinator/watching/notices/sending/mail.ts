/** Sends one mail to one recipient over a checked connection. */
import { getCACertificates } from "node:tls";
import type { Socket } from "node:net";
import { createTransport } from "nodemailer";
import { mailAddressPattern, type MailSettings } from "../../../../platform/config/schema/schema-notices.ts";
import type { Outbound } from "../../../../platform/outbound/outbound.ts";
import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import { plainLine } from "./content.ts";
import type { Sent } from "./verdict.ts";

export interface Mail {
  /** Of the message: the Message-ID is made of it, so that a mailbox shows one that came twice once. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface MailDeps {
  outbound: Outbound;
  settings: MailSettings;
}

const isMailAddress = (text: string): boolean => text.length <= 254 && mailAddress.test(text);
const mailAddress = new RegExp(mailAddressPattern, "u");

const longestAnswer = 500;

/** Never rejects; a mail that was cut off by the signal may have been accepted. */
export async function sendMail(
  { outbound, settings }: MailDeps,
  mail: Mail,
  stopping: AbortSignal,
): Promise<Sent> {
  const { host, port, timeoutMs } = settings;
  // Catalogues hold what people wrote.
  if (!isMailAddress(mail.to)) return { result: "refused", error: "The recipient has no usable address." };
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stopping, limit]);
  let socket: Socket | null = null;
  try {
    socket = await outbound.connect({ host, port, timeoutMs, signal });
    await transportOver(socket, settings).sendMail({ ...messageOf(mail, settings), signal });
    return { result: "sent", error: null };
  } catch (error) {
    if (limit.aborted && !stopping.aborted)
      return { result: "failed", error: `${host} did not take it within ${timeoutMs} ms.` };
    return faultOf(error, host);
  } finally {
    socket?.destroySoon();
  }
}

const transportOver = (connection: Socket, settings: MailSettings) => {
  const { host, port, security, user, password, ca, timeoutMs } = settings;
  return createTransport({
    connection,
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(ca === undefined ? {} : { tls: { ca: [...getCACertificates("default"), ca] } }),
    // A server that offers no sign-in is not given the mail of a user who has one.
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" }, forceAuth: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

function messageOf({ id, to, subject, text }: Mail, { from, fromName, replyTo }: MailSettings) {
  return {
    from: { name: fromName, address: from },
    to: { name: "", address: to },
    ...(replyTo === undefined ? {} : { replyTo }),
    envelope: { from, to: [to] },
    subject,
    text,
    messageId: messageIdOf(id, from),
    headers: {
      // RFC 3834, and what Exchange goes by: no out-of-office replies to it.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
    },
  };
}

export const messageIdOf = (id: string, from: string): string =>
  `<notice.${id}@${from.slice(from.lastIndexOf("@") + 1)}>`;

/** A refusal of the recipient or of the content is final; everything else may be better the next time. */
function faultOf(error: unknown, host: string): Sent {
  if (error instanceof OutboundError) return { result: "failed", error: error.message };
  const { responseCode, response, command, code, message } = error as Partial<SmtpFault> & Error;
  if (responseCode === undefined)
    return {
      result: "failed",
      error: plainLine(`${host}: ${message}${code ? ` (${code})` : ""}`, longestAnswer),
    };
  const isFinal = responseCode >= 500 && responseCode < 600 && (command === "RCPT TO" || command === "DATA");
  return {
    result: isFinal ? "refused" : "failed",
    error: plainLine(`${host} answered ${response ?? String(responseCode)}`, longestAnswer),
  };
}

interface SmtpFault {
  responseCode: number;
  response: string;
  command: string;
  code: string;
}
