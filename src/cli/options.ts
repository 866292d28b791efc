/** Options that commands share. */
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Cli } from "./context.ts";
import { trustOnly } from "./client/certificates.ts";
import type { Server } from "./client/http.ts";
import { readContexts } from "./contexts/context-file.ts";
import { defaultUrl, resolveServer } from "./contexts/resolve.ts";
import { renewedToken } from "./login/renew.ts";
import { inputFailure } from "./exit-codes.ts";

export interface ServerOptions {
  url?: string;
  token?: string;
  cacert?: string;
  context?: string;
  json?: boolean;
}

/** The options of every command that calls a server: which one, as whom, and --json. */
export const withServer = (command: Command): Command =>
  command
    .option("--url <url>", `the server (default: PLINTH_URL, else that of the context, else ${defaultUrl})`)
    .option(
      "--token <token>",
      "bearer token (default: PLINTH_TOKEN, else that of the context; both keep it out of the process list)",
    )
    .option(
      "--cacert <file>",
      "PEM file of the certificate authority to trust instead of the system's (default: PLINTH_CACERT)",
    )
    .option(
      "--context <name>",
      "the server of `plinth context set` (default: PLINTH_CONTEXT, else the current one)",
    )
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

/** An option with given values that may be repeated. */
export const repeatableChoice = (flags: string, description: string, choices: readonly string[]): Option =>
  // The parser comes after the choices, which would set their own.
  new Option(flags, `${description}; repeatable`)
    .choices(choices)
    .argParser((value: string, before: string[] | undefined) => {
      if (choices.includes(value)) return collect(value, before);
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    });

export function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new InvalidArgumentError("It must be from 0 to 65535.");
  return port;
}

/** The server that a command talks to. */
export function serverOf(cli: Cli, options: ServerOptions): Server {
  const { url, token, cacert, signedIn } = resolveServer(options, cli.env, () => readContexts(cli.env));
  checkUrl(url.value, url.from);
  if (token !== undefined) checkToken(token.value, token.from);
  if (cacert !== undefined) trustOnly(cli.cwd, cacert);
  const { origin, pathname } = new URL(url.value);
  return {
    url: origin + pathname.replace(/\/+$/, ""),
    token: token?.value,
    tokenFrom: token?.from,
    ...(signedIn !== undefined && { isSignIn: true, renewedToken: () => renewedToken(cli, signedIn) }),
    signal: cli.signal,
  };
}

export function checkUrl(url: string, where: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw inputFailure("The URL of the server must begin with http:// or https://.", { where });
}

/** A token that a header cannot hold would fail with an error about headers. */
export function checkToken(token: string, where: string): void {
  if (/^[\u0021-\u007E]+$/.test(token)) return;
  throw inputFailure("The token must be of printable ASCII characters without blanks.", {
    where,
    solutions: /^bearer\s/i.test(token) ? ["Give it without the word Bearer, which is added."] : [],
  });
}
