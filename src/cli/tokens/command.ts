/** `plinth token`: makes, lists and revokes tokens for programs. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { statusCell, timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { collect, repeatableChoice, serverOf, withServer, type ServerOptions } from "../options.ts";
import type { Styles } from "../print/colors.ts";
import type { Cell } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { defineAccounts } from "./accounts.ts";
import { roles, type MadeToken, type Token } from "./wire.ts";

interface CreateOptions extends ServerOptions {
  service?: string;
  role?: string[];
  scope?: string[];
  days?: number;
}

interface ListOptions extends ServerOptions {
  owner?: string;
  all?: true;
  status: "active" | "ended" | "all";
  limit: number;
}

const path = "/api/auth/v1/tokens";

export function defineToken(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("token")
    .summary("make, list and revoke tokens for programs")
    .description("Tokens for programs: your own, and those of service accounts.");
  defineCreate(group, cli, run);
  const list = group
    .command("list")
    .summary("list tokens")
    .description("Lists your tokens, the newest first; operators may ask for those of others.")
    .option("--owner <ref>", "those of somebody else, such as user:default/ada")
    .option("--all", "those of everybody")
    .addOption(
      new Option("--status <status>", "which ones").choices(["active", "ended", "all"]).default("active"),
    );
  withLimit(list).action((options: ListOptions) => run(() => listTokens(cli, options)));
  const revoke = group
    .command("revoke")
    .summary("revoke a token")
    .description("Revokes a token: every process of the server refuses it within three seconds.")
    .argument("<id>", "id of the token, which `plinth token list` shows");
  withServer(revoke).action((id: string, options: ServerOptions) => run(() => revokeToken(cli, id, options)));
  defineAccounts(group, cli, run);
}

function defineCreate(group: Command, cli: Cli, run: Run): void {
  const create = group
    .command("create")
    .summary("make a token")
    .description(
      "Makes a token and prints it on standard output, this once. What it is good for is printed on standard error. It is never " +
        "allowed more than its owner at that moment.",
    )
    .argument("<name>", "what it is for")
    .option("--service <account>", "for a service account instead of yourself; for administrators")
    .addOption(repeatableChoice("--role <role>", "at most this role of its owner", roles))
    .option(
      "--scope <scope>",
      "what it may be used for: read, coordinator, coordinator:read, coordinator:<rule>, …; repeatable",
      collect,
    )
    .option("--days <count>", "days until it expires", parseCount);
  withServer(create).action((name: string, options: CreateOptions) =>
    run(() => createToken(cli, name, options)),
  );
}

function parseCount(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(value);
}

async function createToken(cli: Cli, name: string, options: CreateOptions): Promise<number> {
  const { service, role, scope, days } = options;
  const { body } = await callServer<MadeToken>(serverOf(cli, options), {
    method: "POST",
    path,
    body: {
      name,
      ...(service === undefined ? {} : { service }),
      ...(role === undefined ? {} : { roles: role }),
      ...(scope === undefined ? {} : { scopes: scope }),
      ...(days === undefined ? {} : { expiresInDays: days }),
    },
  });
  if (options.json) {
    printJson(cli.out, body);
    return exitCodes.ok.code;
  }
  printLines(cli.out, [oneLine(body.token)]);
  const { owner, roles: given, scopes, expiresAt, id } = body;
  printLines(cli.err, [
    `It acts as ${oneLine(owner)} with ${oneLine(given.join(", "))}, for ${oneLine(scopes.join(" "))}, until ${timeCell(expiresAt)}.`,
    `It is not shown again. To revoke it: plinth token revoke ${oneLine(id)}`,
  ]);
  return exitCodes.ok.code;
}

async function listTokens(cli: Cli, options: ListOptions): Promise<number> {
  if (options.all && options.owner !== undefined)
    throw inputFailure("Give either --owner or --all.", { where: "--all" });
  const owner = options.all ? "all" : options.owner;
  const listed = await readList<Token>(serverOf(cli, options), {
    path,
    query: { owner, status: options.status },
    limit: options.limit,
    next: paging.after,
  });
  printList(cli, options, { listed, columns, toRow });
  return exitCodes.ok.code;
}

const columns = [
  { title: "ID", shrinks: "middle" as const },
  { title: "NAME", shrinks: true },
  { title: "OWNER", shrinks: "middle" as const },
  { title: "ROLES" },
  { title: "SCOPES", shrinks: true },
  { title: "STATUS" },
  { title: "EXPIRES" },
  { title: "USED" },
  { title: "TOKEN" },
];

const toRow = (each: Token, styles: Styles): (string | Cell)[] => [
  oneLine(each.id),
  oneLine(each.name),
  oneLine(each.owner),
  oneLine(each.roles.join(" ")),
  oneLine(each.scopes.join(" ")),
  statusCell(styles, each.status),
  timeCell(each.expiresAt),
  each.lastUsedAt === null ? "never" : timeCell(each.lastUsedAt),
  each.ending === null ? "" : `…${oneLine(each.ending)}`,
];

async function revokeToken(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  await callServer(serverOf(cli, options), { method: "DELETE", path: `${path}/${encodeURIComponent(id)}` });
  if (options.json) printJson(cli.out, { revoked: id });
  else printLines(cli.out, [`The token ${oneLine(id)} is revoked.`]);
  return exitCodes.ok.code;
}
