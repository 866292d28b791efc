/**
 * The file of contexts: servers by name, each with its address, its certificate authority and its token. It holds tokens, so
 * only its owner may read it, and it is replaced as a whole: a reader never finds half of it.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { errorCode } from "../../platform/errors/error-code.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { inputFailure } from "../exit-codes.ts";
import { lockNow } from "./file-lock.ts";

export interface Context {
  url: string;
  token?: string;
  /** Absolute path of a PEM file. */
  cacert?: string;
  /** What `plinth login` has stored, besides the token. */
  signIn?: SignIn;
}

/** A sign-in at an identity provider, and the session of the server that it gave. */
export interface SignIn {
  provider: string;
  issuer: string;
  metadataUrl: string;
  clientId: string;
  /** What the provider's tokens are for, where it is told. */
  resource?: string;
  sessionName: string;
  sessionId: string;
  /** How long a session is wanted for. */
  sessionSeconds: number;
  /** When the token expires, and from when on it is renewed; times of this machine. */
  expiresAt: string;
  renewAt: string;
  refreshToken?: string;
}

export interface Contexts {
  /** Name of the context that applies when a command names none. */
  current?: string;
  contexts: Record<string, Context>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `plinth/contexts.json` in the directory for configurations of the user; undefined where no such directory is known. */
export function contextFilePath(env: Environment): string | undefined {
  const xdg = env["XDG_CONFIG_HOME"];
  // The XDG specification has relative paths ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "plinth", "contexts.json");
  const home = env["HOME"] ? join(env["HOME"], ".config") : env["APPDATA"];
  return home ? join(home, "plinth", "contexts.json") : undefined;
}

/** No file is no contexts. */
export function readContexts(env: Environment): Contexts {
  const path = contextFilePath(env);
  if (path === undefined) return { contexts: {} };
  let text: string;
  let mode: number;
  try {
    ({ mode } = statSync(path));
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return { contexts: {} };
    throw inputFailure(`The file of contexts cannot be read (${errorCode(cause)}).`, { where: path, cause });
  }
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw inputFailure("Others can read the file of contexts, which holds tokens.", {
      where: path,
      solutions: [`Run \`chmod 600 ${path}\`, and replace its tokens if others may have read them.`],
    });
  }
  return parse(text, path);
}

function parse(text: string, path: string): Contexts {
  const broken = (cause?: unknown): Error =>
    inputFailure("The file of contexts is not one that `plinth context set` wrote.", {
      where: path,
      solutions: ["Correct it, or remove it and set the contexts again."],
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(cause);
  }
  if (!isRecord(value) || !isRecord(value["contexts"])) throw broken();
  const { current } = value;
  const contexts: Record<string, Context> = {};
  for (const [name, each] of Object.entries(value["contexts"])) {
    if (!isRecord(each) || typeof each["url"] !== "string") throw broken();
    const { url, token, cacert } = each;
    const signIn = signInOf(each["signIn"]);
    contexts[name] = {
      url,
      ...(typeof token === "string" ? { token } : {}),
      ...(typeof cacert === "string" ? { cacert } : {}),
      ...(signIn && { signIn }),
    };
  }
  return { ...(typeof current === "string" ? { current } : {}), contexts };
}

const signInTexts = [
  "provider",
  "issuer",
  "metadataUrl",
  "clientId",
  "sessionName",
  "sessionId",
  "expiresAt",
  "renewAt",
] as const;

/** Nothing for what another version has written. */
function signInOf(value: unknown): SignIn | undefined {
  if (!isRecord(value) || signInTexts.some((name) => typeof value[name] !== "string")) return undefined;
  const { resource, refreshToken, sessionSeconds } = value;
  if (typeof sessionSeconds !== "number") return undefined;
  const texts = Object.fromEntries(signInTexts.map((name) => [name, value[name]]));
  return {
    ...(texts as Omit<SignIn, "resource" | "refreshToken" | "sessionSeconds">),
    sessionSeconds,
    ...(typeof resource === "string" ? { resource } : {}),
    ...(typeof refreshToken === "string" ? { refreshToken } : {}),
  };
}

/** Changes the file; two processes that do so at once both find what the other has written. */
export function changeContexts(env: Environment, change: (contexts: Contexts) => Contexts): string {
  const path = contextFilePath(env);
  const release = path === undefined ? () => undefined : lockNow(`${path}.lock`);
  try {
    return writeContexts(env, change(readContexts(env)));
  } finally {
    release();
  }
}

/** Writes the file anew, with the mode 0600, and returns its path. */
function writeContexts(env: Environment, contexts: Contexts): string {
  const path = contextFilePath(env);
  if (path === undefined) {
    throw inputFailure("There is no place for the file of contexts.", {
      solutions: ["Set HOME or XDG_CONFIG_HOME."],
    });
  }
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    // The mask of the process may have taken rights of the owner away.
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw inputFailure(`The file of contexts cannot be written (${errorCode(cause)}).`, {
      where: path,
      cause,
    });
  }
  return path;
}
