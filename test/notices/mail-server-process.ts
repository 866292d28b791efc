/**
 * A mail server as a process of its own: it prints `{ "port": … }`, then a line of JSON for every mail that it takes. What it
 * does with one is said by the first word of the recipient's name.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { SMTPServer } from "smtp-server";

export interface MailServerOptions {
  security: "starttls" | "tls" | "none";
  /** Without it nobody signs in. */
  user?: string;
  password?: string;
  port?: number;
}

const options: MailServerOptions = JSON.parse(process.argv[2] ?? "{}");
const { security, user, password, port = 0 } = options;
const pem = readFileSync(
  new URL("../../src/platform/outbound/testdata/self-signed-localhost.pem", import.meta.url),
);

const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
const wordOf = (address: string): string => address.split(/[-@]/)[0] ?? "";
const seen = new Map<string, number>();

/** How the data of a mail is answered; null: as usual. */
function answerTo(word: string, address: string): Error | null {
  const times = (seen.get(address) ?? 0) + 1;
  seen.set(address, times);
  if (word === "full") return refusal(552, "The mailbox is full");
  if (word === "busy") return refusal(451, "Try again later");
  if (word === "once" && times === 1) return refusal(451, "Try again later");
  return null;
}

const server = new SMTPServer({
  secure: security === "tls",
  key: pem,
  cert: pem,
  hideSTARTTLS: security !== "starttls",
  authOptional: user === undefined,
  disabledCommands: [
    ...(user === undefined ? ["AUTH"] : []),
    ...(security === "starttls" ? [] : ["STARTTLS"]),
  ],
  onAuth(auth, _session, done) {
    if (auth.username === user && auth.password === password) done(null, { user: auth.username });
    else done(refusal(535, "Wrong user or password"));
  },
  onRcptTo({ address }, _session, done) {
    const word = wordOf(address);
    if (word === "refused") return done(refusal(550, "No such user"));
    if (word === "later") return done(refusal(450, "Greylisted"));
    done();
  },
  onData(stream, session, done) {
    const [to] = session.envelope.rcptTo.map(({ address }) => address);
    const word = wordOf(to ?? "");
    if (word === "dies") process.kill(process.pid, "SIGKILL");
    if (word === "cut") for (const socket of open) socket.destroy();
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const fault = answerTo(word, to ?? "");
      if (fault !== null) return done(fault);
      const { mailFrom } = session.envelope;
      const mail = {
        from: mailFrom === false ? null : mailFrom.address,
        to,
        secure: session.secure,
        user: session.user ?? null,
        text: Buffer.concat(chunks).toString("utf8"),
      };
      process.stdout.write(`${JSON.stringify(mail)}\n`);
      // It has the mail, and its sender does not hear of it.
      if (word === "silent") return;
      setTimeout(() => done(null), word === "slow" ? 2_000 : 0);
    });
  },
});

const open = new Set<Socket>();
server.server.on("connection", (socket: Socket) => {
  open.add(socket);
  socket.on("error", () => undefined).on("close", () => open.delete(socket));
});
server.on("error", () => undefined);
server.listen(port, "127.0.0.1", () => {
  const address = server.server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === "object" ? address?.port : null })}\n`);
});
