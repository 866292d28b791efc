/** A server whose people sign in on command lines at a real identity provider, and the command line as a process. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import type { Contexts } from "../../../src/cli/contexts/context-file.ts";
import { productProgram } from "../../crash/processes.ts";
import { eventually } from "../../support/eventually.ts";
import { decide } from "../../support/identity-provider/browser.ts";
import {
  startIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from "../../support/identity-provider/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";

export const clientId = "plinth-command-line";
const resource = "urn:plinth";

export interface LoginServer {
  url: string;
  server: WholeServer;
  provider: IdentityProvider;
  close(): Promise<void>;
}

export interface LoginServerOptions {
  provider?: Partial<IdentityProviderOptions>;
  configure?: (config: Config, provider: IdentityProvider) => void;
}

/** The settings of that provider, with a client for command lines. */
export const oidcSettings = (provider: IdentityProvider) => ({
  issuer: provider.issuer,
  audience: resource,
  rolesClaim: "roles",
  defaultRoles: [],
  commandLine: { clientId, scopes: ["openid", "offline_access", "platform"], parameters: { resource } },
});

export async function startLoginServer(options: LoginServerOptions = {}): Promise<LoginServer> {
  const provider = await startIdentityProvider({
    registration: false,
    device: { clientId, intervalSeconds: 0.2 },
    ...options.provider,
  });
  const server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.auth.providers = { ...config.auth.providers, oidc: { default: oidcSettings(provider) } };
      options.configure?.(config, provider);
    },
  });
  return {
    url: server.url,
    server,
    provider,
    async close() {
      await server.close();
      await provider.close();
    },
  };
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  out(): string;
  err(): string;
  interrupt(): void;
  /** As by kill -9. */
  kill(): void;
  ended: Promise<Ran>;
}

/** Somebody with a folder for configurations of their own. */
export interface Person {
  env: Record<string, string>;
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Ran>;
  /** Runs `plinth login`, and confirms it in a browser. */
  logIn(as: string, ...args: string[]): Promise<Ran>;
  contexts(): Promise<Contexts>;
  file: string;
  leave(): Promise<void>;
}

export async function newPerson(): Promise<Person> {
  const home = await mkdtemp(join(tmpdir(), "plinth-login-"));
  const env: Record<string, string> = { XDG_CONFIG_HOME: home, PATH: process.env["PATH"] ?? "" };
  const file = join(home, "plinth", "contexts.json");
  const start = (...args: string[]): Running => startCommand(args, env);
  return {
    env,
    start,
    run: (...args) => start(...args).ended,
    async logIn(as, ...args) {
      const login = start("login", ...args);
      const { address } = await shownBy(login);
      await decide(new URL(address), { as });
      return login.ended;
    },
    contexts: async () => JSON.parse(await readFile(file, "utf8")),
    file,
    leave: () => rm(home, { recursive: true, force: true }),
  };
}

/** What a running `plinth login` shows: the address with the code in it, and the code. */
export async function shownBy(login: Running): Promise<{ address: string; plain: string; code: string }> {
  return eventually("The code", async () => {
    const shown = / {2}open (\S+)\n {2}and enter the code (\S+)\nor open (\S+)\n[^]*Waiting for it/.exec(
      login.err(),
    );
    if (shown === null) return null;
    const [, plain = "", code = "", address = ""] = shown;
    return { plain, code, address };
  });
}

function startCommand(args: string[], env: Record<string, string>): Running {
  const child = spawn(process.execPath, [resolve(productProgram()), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A command that waits for what never comes fails its test.
    timeout: 60_000,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
  return {
    out: () => out,
    err: () => err,
    interrupt: () => void child.kill("SIGINT"),
    kill: () => void child.kill("SIGKILL"),
    ended: new Promise((done) => child.on("close", (code) => done({ code, out, err }))),
  };
}
