/** `plinth context`: stores servers under names, each with its address, token and certificate authority. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { checkToken, checkUrl, withJson } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { changeContexts, readContexts, type Context, type Contexts } from "./context-file.ts";
import { unknownContext } from "./resolve.ts";

interface JsonOption {
  json?: boolean;
}

interface SetOptions extends JsonOption {
  url?: string;
  token?: string;
  tokenStdin?: boolean;
  cacert?: string;
  use?: boolean;
}

export function defineContext(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("context")
    .summary("name servers and choose one")
    .description(
      "Contexts: servers by name, each with its address, its certificate authority and its token.",
    );
  const list = group
    .command("list")
    .summary("list contexts")
    .description("Lists the contexts and marks the current one. Tokens are not shown.");
  withJson(list).action((options: JsonOption) => run(() => listContexts(cli, options)));
  const use = group
    .command("use")
    .summary("choose the current context")
    .description("Makes a context the one that commands use when they name no server.")
    .argument("<name>", "name of the context");
  withJson(use).action((name: string, options: JsonOption) => run(() => useContext(cli, name, options)));
  const set = group
    .command("set")
    .summary("add or change a context")
    .description(
      "Adds a context, or changes what is given of one. The first one becomes the current one. The token is stored in a file that " +
        "only you can read; a context whose address changes loses its token unless a new one is given.",
    )
    .argument("<name>", "name of the context: letters, digits, dots, dashes and underscores")
    .option("--url <url>", "address of the server; needed for a new context")
    .option(
      "--token-stdin",
      "read the bearer token from standard input, which keeps it out of the process list",
    )
    .option("--token <token>", "bearer token; an empty one removes the stored one")
    .option("--cacert <file>", "PEM file of the certificate authority of the server; an empty one removes it")
    .option("--use", "make it the current context");
  withJson(set).action((name: string, options: SetOptions) => run(() => setContext(cli, name, options)));
  const remove = group
    .command("remove")
    .summary("remove a context")
    .description("Removes a context with its token.")
    .argument("<name>", "name of the context");
  withJson(remove).action((name: string, options: JsonOption) =>
    run(() => removeContext(cli, name, options)),
  );
}

async function listContexts(cli: Cli, options: JsonOption): Promise<number> {
  const { current, contexts } = readContexts(cli.env);
  const listed = Object.entries(contexts).map(([name, { url, token, cacert, signIn }]) => ({
    name,
    current: name === current,
    url,
    hasToken: token !== undefined,
    cacert: cacert ?? null,
    signedInAt: signIn?.provider ?? null,
  }));
  if (options.json) printJson(cli.out, { contexts: listed });
  else if (listed.length === 0) printLines(cli.out, ["There are none."]);
  else {
    const rows = listed.map((each) => [
      each.current ? "*" : "",
      oneLine(each.name),
      oneLine(each.url),
      each.signedInAt !== null ? "signed in" : each.hasToken ? "stored" : "",
      oneLine(each.cacert ?? ""),
    ]);
    const columns = [
      { title: "" },
      { title: "CONTEXT" },
      { title: "URL", shrinks: "middle" as const },
      { title: "TOKEN" },
      { title: "CACERT", shrinks: "middle" as const },
    ];
    const width = cli.out.size()?.columns;
    printLines(cli.out, renderTable(columns, rows, { width, paintTitle: cli.out.styles.faint }));
  }
  return 0;
}

async function useContext(cli: Cli, name: string, options: JsonOption): Promise<number> {
  let url = "";
  changeContexts(cli.env, (contexts) => {
    if (!Object.hasOwn(contexts.contexts, name)) throw unknownContext(name, contexts);
    ({ url } = contexts.contexts[name]!);
    return { ...contexts, current: name };
  });
  if (options.json) printJson(cli.out, { current: name });
  else printLines(cli.out, [`Commands talk to ${oneLine(url)} (${name}).`]);
  return 0;
}

async function setContext(cli: Cli, name: string, options: SetOptions): Promise<number> {
  checkContextName(name, "<name>");
  const given = { ...options, token: await readToken(cli, options) };
  let changed: Changed | undefined;
  const path = changeContexts(cli.env, (contexts) => {
    changed = withContext(contexts, name, { cwd: cli.cwd, given });
    return changed.contexts;
  });
  const { context, isCurrent, isDropped } = changed!;
  const { url } = context;
  const hasToken = context.token !== undefined;
  if (options.json) printJson(cli.out, { name, url, hasToken, current: isCurrent, file: path });
  else {
    printLines(cli.out, [
      `The context ${name} is ${oneLine(url)}, ${hasToken ? "with a token" : "without a token"}${isCurrent ? ", and the current one" : ""}.`,
    ]);
  }
  if (isDropped) {
    printLines(cli.err, [
      "The stored token was for another address and is removed; give one for this address.",
    ]);
  }
  return 0;
}

export function checkContextName(name: string, where: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return;
  throw inputFailure("The name of a context has letters, digits, dots, dashes and underscores, 64 at most.", {
    where,
  });
}

interface Changed {
  contexts: Contexts;
  context: Context;
  isCurrent: boolean;
  /** Whether a token was dropped with its address. */
  isDropped: boolean;
}

function withContext(
  contexts: Contexts,
  name: string,
  { cwd, given }: { cwd: string; given: SetOptions },
): Changed {
  const before = Object.hasOwn(contexts.contexts, name) ? contexts.contexts[name] : undefined;
  const url = given.url ?? before?.url;
  if (url === undefined) throw inputFailure("A new context needs an address.", { where: "--url" });
  checkUrl(url, "--url");
  const isMoved = before !== undefined && new URL(before.url).origin !== new URL(url).origin;
  const keepsToken = given.token === undefined && !isMoved;
  const context: Context = {
    url,
    ...entryOf("token", given.token, isMoved ? undefined : before?.token),
    ...entryOf("cacert", given.cacert && resolve(cwd, given.cacert), before?.cacert),
    ...(keepsToken && before?.signIn && { signIn: before.signIn }),
  };
  const isFirst = Object.keys(contexts.contexts).length === 0;
  const current = given.use || isFirst ? name : contexts.current;
  return {
    contexts: {
      ...(current === undefined ? {} : { current }),
      contexts: { ...contexts.contexts, [name]: context },
    },
    context,
    isCurrent: current === name,
    isDropped: isMoved && given.token === undefined && before.token !== undefined,
  };
}

/** What is given replaces what was there; an empty text removes it. */
function entryOf<K extends string>(
  name: K,
  given: string | undefined,
  before: string | undefined,
): { [key in K]?: string } {
  const value = given ?? before;
  return (value ? { [name]: value } : {}) as { [key in K]?: string };
}

async function readToken(cli: Cli, options: SetOptions): Promise<string | undefined> {
  if (options.token !== undefined && options.tokenStdin) {
    throw inputFailure("Give either --token or --token-stdin.", { where: "--token-stdin" });
  }
  const token = options.tokenStdin ? (await cli.readInput()).trim() : options.token;
  if (options.tokenStdin && token === "") {
    throw inputFailure("Standard input holds no token.", { where: "--token-stdin" });
  }
  if (token) checkToken(token, options.tokenStdin ? "--token-stdin" : "--token");
  return token;
}

async function removeContext(cli: Cli, name: string, options: JsonOption): Promise<number> {
  let isCurrent = false;
  changeContexts(cli.env, (contexts) => {
    if (!Object.hasOwn(contexts.contexts, name)) throw unknownContext(name, contexts);
    const { [name]: _, ...left } = contexts.contexts;
    isCurrent = contexts.current === name;
    return {
      ...(isCurrent || contexts.current === undefined ? {} : { current: contexts.current }),
      contexts: left,
    };
  });
  if (options.json) printJson(cli.out, { removed: name });
  else {
    printLines(cli.out, [
      `The context ${name} is removed.${isCurrent ? " There is no current context any more." : ""}`,
    ]);
  }
  return 0;
}
