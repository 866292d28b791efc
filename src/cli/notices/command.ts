/** `plinth notices`: mails and chat messages about what waits for people. */
import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { statusCell, timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";

interface Notice {
  id: string;
  channel: string;
  recipient: string;
  status: string;
  attempts: number;
  createdAt: string;
  lastError: string | null;
  waiting: string | null;
  notices: { kind: string; id: string }[];
}

interface Choices {
  ref: string;
  email: string | null;
  choices: { kind: string; wanted: boolean; sent: boolean }[];
}

const path = "/api/coordinator/v1/notices";
const choicesPath = "/api/coordinator/v1/notice-choices";

export function defineNotices(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("notices")
    .summary("list and try notices, and choose which you get")
    .description("Notices are mails and chat messages about what waits for people.");
  const list = group
    .command("list")
    .summary("list notices that were sent, wait or were given up")
    .description("Lists notices that were sent, wait or were given up, the latest first.")
    .option("--channel <name>", "only of `mail`, or of the chat with that name")
    .option("--status <status>", "only with this status, such as DEAD");
  withLimit(list).action((options: ListOptions) => run(() => listNotices(cli, options)));
  const test = group
    .command("test")
    .summary("send a sample")
    .description("Sends a sample, and says how that ended.")
    .option("--channel <name>", "`mail`, or the name of a chat", "mail")
    .option("--to <recipient>", "for mails: a user, a group or an address; you when not given");
  withServer(test).action((options: TestOptions) => run(() => sendTest(cli, options)));
  const again = group
    .command("send-again")
    .summary("send one again")
    .description("Sends one that was sent or given up again, with what of it still waits.")
    .argument("<id>", "id from the list");
  withServer(again).action((id: string, options: ServerOptions) => run(() => sendAgain(cli, id, options)));
  const choose = group
    .command("choose")
    .summary("show or change what you get mails about")
    .description("Shows what you get mails about, and changes it with --on and --off.")
    .option("--on <kinds...>", "kinds that you want mails about")
    .option("--off <kinds...>", "kinds that you want none about");
  withServer(choose).action((options: ChooseOptions) => run(() => chooseKinds(cli, options)));
}

interface ListOptions extends ServerOptions {
  channel?: string;
  status?: string;
  limit: number;
}

async function listNotices(cli: Cli, options: ListOptions): Promise<number> {
  const { channel, status, limit } = options;
  const query = { channel, status };
  const next = paging.after;
  const listed = await readList<Notice>(serverOf(cli, options), { path, query, limit, next });
  printList(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "CHANNEL" },
      { title: "TO", shrinks: "middle" },
      { title: "ABOUT" },
      { title: "STATUS" },
      { title: "SINCE" },
      { title: "WHY", shrinks: true },
    ],
    toRow: (each, styles) => [
      oneLine(each.id),
      oneLine(each.channel),
      oneLine(each.recipient),
      aboutOf(each),
      statusCell(styles, each.status),
      timeCell(each.createdAt),
      oneLine(each.lastError ?? each.waiting ?? ""),
    ],
  });
  return exitCodes.ok.code;
}

function aboutOf({ notices }: Notice): string {
  const kinds = [...new Set(notices.map(({ kind }) => oneLine(kind)))];
  return kinds.length === 0 ? "a sample" : kinds.join(", ");
}

interface TestOptions extends ServerOptions {
  channel: string;
  to?: string;
}

const askEveryMs = 500;
/** A server that answers slowly is given up for the sample; the list says later how it ended. */
const waitMs = 30_000;

async function sendTest(cli: Cli, { channel, to, ...options }: TestOptions): Promise<number> {
  const server = serverOf(cli, options);
  const body = { channel, ...(to !== undefined && { to }) };
  const { body: begun } = await callServer<Notice>(server, { method: "POST", path: `${path}/test`, body });
  const ended = await followed(cli, server, begun);
  if (options.json) printJson(cli.out, ended);
  else printLines(cli.out, [endLine(ended)]);
  return ended.status === "SENT" ? exitCodes.ok.code : exitCodes.refused.code;
}

/** Until it was sent or has failed once. */
async function followed(cli: Cli, server: Server, begun: Notice): Promise<Notice> {
  const giveUpAt = Date.now() + waitMs;
  let notice = begun;
  while (notice.status === "PENDING" && notice.lastError === null && Date.now() < giveUpAt) {
    await wait(askEveryMs, undefined, { signal: cli.signal });
    const { body } = await callServer<Notice>(server, {
      method: "GET",
      path: `${path}/${encodeURIComponent(begun.id)}`,
    });
    notice = body;
  }
  return notice;
}

function endLine({ channel, recipient, status, lastError, waiting }: Notice): string {
  const where = recipient === "" ? oneLine(channel) : oneLine(recipient);
  if (status === "SENT") return `The sample was sent to ${where}.`;
  return `The sample was not sent to ${where}: ${oneLine(lastError ?? waiting ?? status)}`;
}

async function sendAgain(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  const { body } = await callServer<Notice>(serverOf(cli, options), {
    method: "POST",
    path: `${path}/${encodeURIComponent(id)}/send-again`,
  });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, [`${oneLine(body.id)} is sent again.`]);
  return exitCodes.ok.code;
}

interface ChooseOptions extends ServerOptions {
  on?: string[];
  off?: string[];
}

async function chooseKinds(cli: Cli, { on = [], off = [], ...options }: ChooseOptions): Promise<number> {
  const both = on.find((kind) => off.includes(kind));
  if (both !== undefined)
    throw inputFailure(`${both} is both on and off.`, { where: "--off", solutions: ["Name it once."] });
  const server = serverOf(cli, options);
  const choices = [
    ...on.map((kind) => ({ kind, wanted: true })),
    ...off.map((kind) => ({ kind, wanted: false })),
  ];
  const { body } = await callServer<Choices>(
    server,
    choices.length === 0
      ? { method: "GET", path: choicesPath }
      : { method: "PUT", path: choicesPath, body: { choices } },
  );
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, choiceLines(cli, body));
  return exitCodes.ok.code;
}

function choiceLines(cli: Cli, { ref, email, choices }: Choices): string[] {
  const rows = choices.map(({ kind, wanted, sent }) => [
    oneLine(kind),
    wanted ? "on" : "off",
    sent ? "" : "this server sends none",
  ]);
  const columns = [{ title: "KIND" }, { title: "MAILS" }, { title: "" }];
  const address =
    email === null ? "The catalogue has no address of yours." : `Mails go to ${oneLine(email)}.`;
  return [
    `${oneLine(ref)}: ${address}`,
    "",
    ...renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: cli.out.styles.faint }),
  ];
}
