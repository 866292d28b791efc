/** `plinth token account`: programs that act by tokens of their own. */
import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, repeatableChoice, serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { roles, type ServiceAccount } from "./wire.ts";

interface SetOptions extends ServerOptions {
  role: string[];
  domain?: string[];
  description?: string;
}

const path = "/api/auth/v1/service-accounts";
const pathOf = (name: string): string => `${path}/${encodeURIComponent(name)}`;

export function defineAccounts(token: Command, cli: Cli, run: Run): void {
  const group = token
    .command("account")
    .summary("list, set and remove service accounts")
    .description(
      "Service accounts: programs that act by tokens of their own. Administrators set their roles.",
    );
  const list = group
    .command("list")
    .summary("list service accounts")
    .description("Lists the service accounts with their roles and the number of their tokens.");
  withServer(list).action((options: ServerOptions) => run(() => listAccounts(cli, options)));
  const set = group
    .command("set")
    .summary("make or change a service account")
    .description(
      "Makes a service account, or replaces what is said of one. All its tokens follow within three seconds.",
    )
    .argument("<name>", "name of the account; it acts as service:default/<name>")
    .addOption(repeatableChoice("--role <role>", "a role that it has", roles).makeOptionMandatory())
    .option("--domain <domain>", "a domain whose rows it reads in the data layer; repeatable", collect)
    .option("--description <text>", "what it is for");
  withServer(set).action((name: string, options: SetOptions) => run(() => setAccount(cli, name, options)));
  const remove = group
    .command("remove")
    .summary("remove a service account")
    .description("Removes a service account; its tokens are revoked.")
    .argument("<name>", "name of the account");
  withServer(remove).action((name: string, options: ServerOptions) =>
    run(() => removeAccount(cli, name, options)),
  );
}

async function listAccounts(cli: Cli, options: ServerOptions): Promise<number> {
  const { body } = await callServer<{ data: ServiceAccount[] }>(serverOf(cli, options), {
    method: "GET",
    path,
  });
  if (options.json) printJson(cli.out, body);
  else if (body.data.length === 0) printLines(cli.out, ["There are none."]);
  else {
    const rows = body.data.map((each) => [
      oneLine(each.name),
      oneLine(each.roles.join(" ")),
      String(each.activeTokens),
      oneLine(each.description ?? ""),
    ]);
    const columns = [
      { title: "ACCOUNT" },
      { title: "ROLES" },
      { title: "TOKENS", align: "right" as const },
      { title: "DESCRIPTION", shrinks: true },
    ];
    const width = cli.out.size()?.columns;
    printLines(cli.out, renderTable(columns, rows, { width, paintTitle: cli.out.styles.faint }));
  }
  return exitCodes.ok.code;
}

async function setAccount(cli: Cli, name: string, options: SetOptions): Promise<number> {
  const { role, domain, description } = options;
  const { body } = await callServer<ServiceAccount>(serverOf(cli, options), {
    method: "PUT",
    path: pathOf(name),
    body: {
      roles: role,
      ...(domain === undefined ? {} : { domains: domain }),
      ...(description === undefined ? {} : { description }),
    },
  });
  if (options.json) printJson(cli.out, body);
  else
    printLines(cli.out, [
      `The service account ${oneLine(body.name)} acts as ${oneLine(body.ref)} with ${oneLine(body.roles.join(", "))}.`,
    ]);
  return exitCodes.ok.code;
}

async function removeAccount(cli: Cli, name: string, options: ServerOptions): Promise<number> {
  await callServer(serverOf(cli, options), { method: "DELETE", path: pathOf(name) });
  if (options.json) printJson(cli.out, { removed: name });
  else printLines(cli.out, [`The service account ${oneLine(name)} is removed, and its tokens are revoked.`]);
  return exitCodes.ok.code;
}
