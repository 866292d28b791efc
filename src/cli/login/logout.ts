/** `plinth logout`: ends a sign-in and forgets it. */
import type { Command } from "commander";
import { trustOnly } from "../client/certificates.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { changeContexts, readContexts, type Contexts } from "../contexts/context-file.ts";
import { unknownContext } from "../contexts/resolve.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { withJson } from "../options.ts";
import { timeCell } from "../lists/kinds.ts";
import { endSignIn } from "./end.ts";
import { plainText } from "./plain-text.ts";
import { aloneWith, contextNamed } from "./renew.ts";

interface LogoutOptions {
  context?: string;
  json?: boolean;
}

export function defineLogout(program: Command, cli: Cli, run: Run): void {
  const logout = program
    .command("logout")
    .summary("end a sign-in and forget it")
    .description(
      "Revokes the session of a context at the server, and what would renew it at the identity provider, and removes both from " +
        "this machine. What can't be revoked now is named, and removed all the same.",
    )
    .option("--context <name>", "the context (default: PLINTH_CONTEXT, else the current one)");
  withJson(logout).action((options: LogoutOptions) => run(() => logOut(cli, options)));
}

async function logOut(cli: Cli, options: LogoutOptions): Promise<number> {
  const name = chosenContext(cli, options, readContexts(cli.env));
  const left = await aloneWith(cli, name, () => endAndForget(cli, name));
  if (options.json) printJson(cli.out, { context: name, notRevoked: left });
  else printLines(cli.out, [`Signed out: the context ${name} has no session any more.`]);
  printLines(
    cli.err,
    left.map((each) => plainText(each)),
  );
  return left.length === 0 ? exitCodes.ok.code : exitCodes.refused.code;
}

function chosenContext({ env }: Cli, { context: given }: LogoutOptions, contexts: Contexts): string {
  const name = given ?? (env["PLINTH_CONTEXT"] || contexts.current);
  if (name === undefined)
    throw inputFailure("There is no current context.", {
      where: "--context",
      solutions: ["`plinth context list` shows the contexts; name one with --context."],
    });
  const context = Object.hasOwn(contexts.contexts, name) ? contexts.contexts[name] : undefined;
  if (context === undefined)
    throw unknownContext(name, contexts, given === undefined ? undefined : "--context");
  if (context.signIn !== undefined) return name;
  throw inputFailure(`The context ${name} has no session of \`plinth login\`.`, {
    where: "--context",
    solutions:
      context.token === undefined
        ? []
        : [`\`plinth context set ${name} --token ""\` removes the token that is stored in it.`],
  });
}

/** What could not be revoked. */
async function endAndForget(cli: Cli, name: string): Promise<string[]> {
  const context = contextNamed(cli.env, name);
  if (context?.signIn === undefined) return [];
  const { signIn, cacert } = context;
  if (cacert !== undefined) trustOnly(cli.cwd, { value: cacert, from: `the context ${name}` });
  try {
    const left = await endSignIn({ ...context, signIn }, cli.signal);
    return left.length === 0 ? [] : [...left, `The session ends at ${timeCell(signIn.expiresAt)}.`];
  } finally {
    // Also when somebody gives up waiting for the server.
    changeContexts(cli.env, ({ contexts, ...rest }) => {
      const { token: _, signIn: _ended, ...now } = contexts[name] ?? context;
      return { ...rest, contexts: { ...contexts, [name]: now } };
    });
  }
}
