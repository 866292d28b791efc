/** `plinth whoami`: who the server takes the caller for. */
import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { timeCell } from "../lists/kinds.ts";
import { oneLine } from "../print/text.ts";

export interface Caller {
  ref: string;
  provider: string;
  roles: string[];
  scopes: string[];
  tokenId: string | null;
  expiresAt: string | null;
}

export const readCaller = async (server: Server): Promise<Caller> =>
  (await callServer<Caller>(server, { method: "GET", path: "/api/auth/v1/whoami" })).body;

export function defineWhoami(program: Command, cli: Cli, run: Run): void {
  const whoami = program
    .command("whoami")
    .summary("show who you are to a server")
    .description(
      "Shows who the server takes you for: the roles, what the token is good for, and until when.",
    );
  withServer(whoami).action((options: ServerOptions) => run(() => showCaller(cli, options)));
}

async function showCaller(cli: Cli, options: ServerOptions): Promise<number> {
  const server = serverOf(cli, options);
  const caller = await readCaller(server);
  if (options.json) {
    printJson(cli.out, { url: server.url, ...caller });
    return exitCodes.ok.code;
  }
  const { ref, provider, roles, scopes, expiresAt } = caller;
  printLines(cli.out, [
    `${oneLine(ref)} at ${server.url}`,
    `Roles:   ${oneLine(roles.join(", ")) || "none"}`,
    `Scopes:  ${oneLine(scopes.join(" ")) || "none"}`,
    `Token:   ${server.tokenFrom === undefined ? "none" : `of ${server.tokenFrom}`}, by ${oneLine(provider)}${expiresAt === null ? "" : `, until ${timeCell(expiresAt)}`}`,
  ]);
  return exitCodes.ok.code;
}
