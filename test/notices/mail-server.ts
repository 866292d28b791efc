/** A real mail server in a process of its own, and the mails that it has taken. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { MailServerOptions } from "./mail-server-process.ts";

export interface ReceivedMail {
  from: string | null;
  to: string;
  secure: boolean;
  user: string | null;
  /** As it came: headers, an empty line, the text. */
  text: string;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** Resolves when the process has ended, by itself or not. */
  ended: Promise<void>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("mail-server-process.ts", import.meta.url));

export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const received: ReceivedMail[] = [];
  const { promise: port, resolve } = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line);
    if ("port" in said) resolve(said.port);
    else received.push(said);
  });
  const ended = once(child, "exit").then(() => undefined);
  return {
    port: await port,
    received,
    ended,
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Value of a header, unfolded; null where there is none. */
export function headerOf({ text }: ReceivedMail, name: string): string | null {
  const [head = ""] = text.split("\r\n\r\n");
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const found = unfolded.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return found === undefined ? null : found.slice(name.length + 1).trim();
}

/** The text of a mail, of whatever encoding it came in. */
export function bodyOf(mail: ReceivedMail): string {
  const encoded = mail.text.slice(mail.text.indexOf("\r\n\r\n") + 4).replaceAll("\r\n", "\n");
  const encoding = headerOf(mail, "Content-Transfer-Encoding") ?? "7bit";
  if (encoding === "base64") return Buffer.from(encoded, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return encoded;
  const bytes = encoded
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
