/** `plinth login`: signs somebody in at the identity provider of a server, and stores the session in a context. */
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { newId } from "../../platform/lib/ids.ts";
import { trustOnly } from "../client/certificates.ts";
import type { Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { checkContextName } from "../contexts/commands.ts";
import { changeContexts, readContexts, type Context, type SignIn } from "../contexts/context-file.ts";
import type { Sourced } from "../contexts/resolve.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkUrl, withJson } from "../options.ts";
import { timeCell } from "../lists/kinds.ts";
import { oneLine } from "../print/text.ts";
import { chooseProvider, type SignInProvider } from "./choose-provider.ts";
import { beginDeviceFlow, pollForTokens, type DeviceCode } from "./device-flow.ts";
import { endSignIn } from "./end.ts";
import { noDeviceEndpoint, reachFrom, readEndpoints } from "./metadata.ts";
import { plainText } from "./plain-text.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import { aloneWith, withoutSlash } from "./renew.ts";
import { beginSession } from "./session.ts";
import { chooseTarget, refuseUnsafe, type Target } from "./target.ts";
import { readCaller } from "./whoami.ts";

interface LoginOptions {
  url?: string;
  context?: string;
  provider?: string;
  cacert?: string;
  use?: boolean;
  json?: boolean;
}

export function defineLogin(program: Command, cli: Cli, run: Run): void {
  const login = program
    .command("login")
    .summary("sign in at the identity provider of a server")
    .description(
      "Signs you in with a browser on any machine: prints an address and a code, and waits until you have confirmed it there. The " +
        "session is stored in a context, in a file that only you can read, and renewed by itself where the provider allows it.",
    )
    .option("--url <url>", "the server (default: that of the context, else PLINTH_URL)")
    .option(
      "--context <name>",
      "the context that keeps the session (default: the one of the server, else the current one, else a new one)",
    )
    .option("--provider <name>", "the identity provider, where the server names several")
    .option(
      "--cacert <file>",
      "PEM file of the certificate authority of the server; the identity provider may have one of the system's too",
    )
    .option("--use", "make it the current context");
  withJson(login).action((options: LoginOptions) => run(() => logIn(cli, options)));
}

async function logIn(cli: Cli, options: LoginOptions): Promise<number> {
  const target = chooseTarget(options, cli.env, readContexts(cli.env));
  checkContextName(target.name, "--context");
  checkUrl(target.url, "--url");
  refuseUnsafe(target);
  const cacert = authorityOf(cli, options, target);
  if (cacert !== undefined) trustOnly(cli.cwd, cacert);
  const server: Server = { url: withoutSlash(target.url), signal: cli.signal };
  const { provider, maxSeconds } = await chooseProvider(server, options.provider);
  const tokens = await askPerson(cli, { server, provider });
  const sessionName = `command line on ${plainText(hostname()).slice(0, 60)} (${newId().slice(0, 8)})`;
  const sessionSeconds = Math.min(maxSeconds, 86_400);
  const { token, ...session } = await beginSession(server, tokens.candidates, {
    name: sessionName,
    seconds: sessionSeconds,
  });
  const { refreshToken } = tokens;
  const { parameters, name, issuer, metadataUrl, clientId } = provider;
  const signIn: SignIn = {
    provider: name,
    issuer,
    metadataUrl,
    clientId,
    ...(parameters["resource"] !== undefined && { resource: parameters["resource"] }),
    sessionName,
    sessionSeconds,
    ...session,
    ...(refreshToken !== undefined && { refreshToken }),
  };
  const stored = await aloneWith(cli, target.name, async () =>
    storeIn(cli, target, { token, signIn, options }),
  );
  await forgetFormer(cli, stored.before);
  const { ref, roles } = await readCaller({ ...server, token });
  printResult(cli, { target, ref, roles, signIn, isCurrent: stored.isCurrent }, options.json === true);
  return exitCodes.ok.code;
}

function authorityOf({ env }: Cli, { cacert }: LoginOptions, { name, context }: Target): Sourced | undefined {
  if (cacert !== undefined) return { value: cacert, from: "--cacert" };
  if (env["PLINTH_CACERT"]) return { value: env["PLINTH_CACERT"], from: "PLINTH_CACERT" };
  return context?.cacert === undefined ? undefined : { value: context.cacert, from: `the context ${name}` };
}

/** Shows where to confirm, on standard error, and waits until that is done. */
async function askPerson(
  cli: Cli,
  { server, provider }: { server: Server; provider: SignInProvider },
): Promise<ProviderTokens> {
  const { issuer, clientId, scopes, parameters } = provider;
  const endpoints = await readEndpoints(provider, reachFrom(server.url), cli.signal);
  const { device } = endpoints;
  if (device === null) throw noDeviceEndpoint(issuer);
  const client = {
    issuer: plainText(issuer),
    clientId,
    scopes,
    parameters,
    endpoints: { ...endpoints, device },
    signal: cli.signal,
  };
  const code = await beginDeviceFlow(client);
  printLines(cli.err, [
    `To sign in to ${server.url} at ${client.issuer}:`,
    ...waysToConfirm(code),
    `Waiting for it, ${Math.max(1, Math.round(code.expiresInSeconds / 60))} min at most; Ctrl-C gives up.`,
  ]);
  return pollForTokens(client, code, cli.now);
}

const waysToConfirm = ({ verification, userCode, complete }: DeviceCode): string[] => [
  `  open ${verification}`,
  `  and enter the code ${userCode}`,
  ...(complete === null ? [] : [`or open ${complete}`, "  and check that it shows the same code."]),
];

interface Stored {
  before: Context | undefined;
  isCurrent: boolean;
}

function storeIn(
  cli: Cli,
  { name, url }: Target,
  { token, signIn, options }: { token: string; signIn: SignIn; options: LoginOptions },
): Stored {
  let stored: Stored = { before: undefined, isCurrent: false };
  changeContexts(cli.env, ({ current: former, contexts }) => {
    const before = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
    const cacert = options.cacert ?? before?.cacert;
    const current = options.use === true || former === undefined ? name : former;
    stored = { before, isCurrent: current === name };
    return {
      current,
      contexts: {
        ...contexts,
        [name]: { url, token, ...(cacert !== undefined && { cacert: resolve(cli.cwd, cacert) }), signIn },
      },
    };
  });
  return stored;
}

/** The session that the new one takes the place of; what can't be ended now ends by itself. */
async function forgetFormer(cli: Cli, before: Context | undefined): Promise<void> {
  if (before?.signIn === undefined) return;
  await endSignIn({ ...before, signIn: before.signIn }, cli.signal);
}

interface Result {
  target: Target;
  ref: string;
  roles: string[];
  signIn: SignIn;
  isCurrent: boolean;
}

function printResult(cli: Cli, { target, ref, roles, signIn, isCurrent }: Result, json: boolean): void {
  const { name, url } = target;
  const renews = signIn.refreshToken !== undefined;
  const { provider, issuer, expiresAt } = signIn;
  if (json) {
    printJson(cli.out, {
      context: name,
      current: isCurrent,
      url,
      ref,
      roles,
      provider,
      issuer,
      expiresAt,
      renews,
    });
    return;
  }
  const until = renews ? "and is renewed by itself" : `until ${timeCell(expiresAt)}; then sign in again`;
  printLines(cli.out, [
    `Signed in to ${oneLine(url)} as ${oneLine(ref)} with ${oneLine(roles.join(", ")) || "no role"}.`,
    `The session is in the context ${name}, ${until}.`,
  ]);
  const hints = [
    ...(isCurrent ? [] : [`Commands use it with --context ${name}, or after: plinth context use ${name}`]),
    ...(cli.env["PLINTH_TOKEN"]
      ? ["PLINTH_TOKEN is set, and is sent instead of it unless --context is given."]
      : []),
  ];
  printLines(cli.err, hints);
}
