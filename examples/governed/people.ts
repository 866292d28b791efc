/** People at the command line of the platform, each with a token of their own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { withPath } from "../story.ts";
import type { IdentityProvider } from "./identity.ts";

export interface Ran {
  code: number;
  out: string;
}

export interface Person {
  name: string;
  /** Runs `plinth` in the folder of the example; shows the command, and what it prints. */
  plinth(...args: string[]): Promise<Ran>;
  /** The same without a word; a JSON document that the platform answers. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export interface PersonOptions {
  home: string;
  url: string;
  identity: IdentityProvider;
  say: (line: string) => void;
}

const program = join(import.meta.dirname, "../../src/cli/main.ts");
const shownAtEnds = 11;

/** The first and the last lines of a long output. */
function shown(lines: readonly string[]): string[] {
  const more = lines.length - 2 * shownAtEnds;
  if (more <= 1) return [...lines];
  return [...lines.slice(0, shownAtEnds), `… ${more} more lines`, ...lines.slice(-shownAtEnds)];
}

export async function person(name: string, role: string, options: PersonOptions): Promise<Person> {
  const { home, url, identity, say } = options;
  const token = await identity.tokenOf(name, role);
  const env = { ...withPath(), HOME: home, PLINTH_URL: url, PLINTH_TOKEN: token };
  return {
    name,
    plinth(...args) {
      say(`${name}$ plinth ${args.map((each) => (/\s/.test(each) ? `"${each}"` : each)).join(" ")}`);
      return new Promise((done) => {
        execFile(process.execPath, [program, ...args], { cwd: home, env }, (error, stdout, stderr) => {
          const out = stdout + stderr;
          for (const line of shown(out.trimEnd().split("\n"))) console.log(`         │ ${line}`);
          done({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out });
        });
      });
    },
    async call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return (text === "" ? null : JSON.parse(text)) as T;
    },
  };
}
