/** Pure. Which server a command talks to, and as whom: an option, else the environment, else a context, else the default. */
import { nearest } from "../../platform/config/hints.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import { inputFailure } from "../exit-codes.ts";
import type { Context, Contexts } from "./context-file.ts";

export const defaultUrl = "http://127.0.0.1:7007";

export interface GivenServer {
  url?: string | undefined;
  token?: string | undefined;
  cacert?: string | undefined;
  context?: string | undefined;
}

export interface Sourced {
  value: string;
  /** Where it comes from, for messages: an option, a variable, a context. */
  from: string;
}

export interface ResolvedServer {
  url: Sourced;
  token: Sourced | undefined;
  cacert: Sourced | undefined;
  /** The context whose sign-in the token is of. */
  signedIn: string | undefined;
}

/**
 * The token and the certificate authority of a context are used for its own address only: another address never gets them.
 *
 * @param read - Reads the contexts; called only when one may apply.
 */
export function resolveServer(
  given: GivenServer,
  env: Readonly<Record<string, string | undefined>>,
  read: () => Contexts,
): ResolvedServer {
  if (given.url !== undefined && given.context !== undefined) {
    throw inputFailure("Give either --url or --context.", { where: "--context" });
  }
  const option = (name: "url" | "token" | "cacert"): Sourced | undefined =>
    given[name] === undefined ? undefined : { value: given[name], from: `--${name}` };
  const variable = (name: string): Sourced | undefined =>
    env[name] ? { value: env[name], from: name } : undefined;
  const hasUrl = given.context === undefined && (given.url !== undefined || Boolean(env["PLINTH_URL"]));
  const used = hasUrl ? undefined : chooseContext(given, env, read);
  const ofContext = (name: "url" | "token" | "cacert"): Sourced | undefined =>
    used?.context[name] === undefined
      ? undefined
      : { value: used.context[name], from: `the context ${used.name}` };
  const pick = (name: "token" | "cacert", variableName: string): Sourced | undefined =>
    option(name) ??
    // A context that an option names comes before the environment, like any option.
    (given.context === undefined
      ? (variable(variableName) ?? ofContext(name))
      : (ofContext(name) ?? variable(variableName)));
  const token = pick("token", "PLINTH_TOKEN");
  const isOfContext = token !== undefined && token.from === ofContext("token")?.from;
  return {
    signedIn: isOfContext && used?.context.signIn !== undefined ? used.name : undefined,
    url: option("url") ??
      (given.context === undefined ? variable("PLINTH_URL") : undefined) ??
      ofContext("url") ?? { value: defaultUrl, from: "the default" },
    token,
    cacert: pick("cacert", "PLINTH_CACERT"),
  };
}

function chooseContext(
  given: GivenServer,
  env: Readonly<Record<string, string | undefined>>,
  read: () => Contexts,
): { name: string; context: Context } | undefined {
  const contexts = read();
  const name = given.context ?? (env["PLINTH_CONTEXT"] || contexts.current);
  if (name === undefined) return undefined;
  const context = Object.hasOwn(contexts.contexts, name) ? contexts.contexts[name] : undefined;
  if (context !== undefined) return { name, context };
  const where =
    given.context !== undefined ? "--context" : env["PLINTH_CONTEXT"] ? "PLINTH_CONTEXT" : undefined;
  throw unknownContext(name, contexts, where);
}

export function unknownContext(name: string, { contexts }: Contexts, where?: string): Failure {
  const suggestion = nearest(name, Object.keys(contexts));
  return inputFailure(
    `There is no context ${name}${suggestion === undefined ? "." : `; did you mean ${suggestion}?`}`,
    {
      ...(where === undefined ? {} : { where }),
      solutions: ["`plinth context list` shows the contexts, `plinth context set` adds one."],
    },
  );
}
