/** Options that commands share. */
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Cli } from "./context.ts";
import type { Server } from "./client/http.ts";
import { inputFailure } from "./exit-codes.ts";

export const defaultUrl = "http://127.0.0.1:7007";

export interface ServerOptions {
  url?: string;
  token?: string;
  json?: boolean;
}

/** The options --url, --token and --json of every command that calls a server. */
export const withServer = (command: Command): Command =>
  command
    .option("--url <url>", `the server (default: PLINTH_URL, else ${defaultUrl})`)
    .option("--token <token>", "bearer token (default: PLINTH_TOKEN, which keeps it out of the process list)")
    .option("--json", jsonHelp);

const jsonHelp = "print JSON on standard output, for programs";

export const withJson = (command: Command): Command => command.option("--json", jsonHelp);

export const environmentOption = (description: string): Option =>
  new Option("-e, --environment <name>", description);

export const terminateModeOption = new Option(
  "--mode <mode>",
  "safe lets running tasks finish; forced also asks the adapters to stop them",
)
  .choices(["safe", "forced"])
  .default("safe");

export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new InvalidArgumentError("It must be from 0 to 65535.");
  return port;
}

/** The server that a command talks to. */
export function serverOf(cli: Cli, options: ServerOptions): Server {
  const given = options.url ?? (cli.env["PLINTH_URL"] || defaultUrl);
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw inputFailure("The URL of the server must begin with http:// or https://.", {
      where: options.url === undefined ? "PLINTH_URL" : "--url",
    });
  }
  const { origin, pathname } = new URL(given);
  const token = options.token ?? (cli.env["PLINTH_TOKEN"] || undefined);
  // A token that a header cannot hold would fail with an error about headers.
  if (token !== undefined && !/^[\u0021-\u007E]+$/.test(token)) {
    throw inputFailure("The token must be of printable ASCII characters without blanks.", {
      where: "--token",
    });
  }
  return { url: origin + pathname.replace(/\/+$/, ""), token, signal: cli.signal };
}
