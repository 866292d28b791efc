/** The entry of the command as a process: on this Node.js, and on one that says that it is old. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const entry = fileURLToPath(new URL("plinth.mjs", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-entry-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (args: string[]): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((done) => {
    execFile(process.execPath, args, { timeout: 60_000 }, (error, out, err) => {
      done({ code: error === null ? 0 : error.code, out, err });
    });
  });

const { engines } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");

describe("an old Node.js", () => {
  test.each(["14.21.3", "18.20.8", "22.18.0"])(
    "%s is told what is needed, without a stack",
    async (version) => {
      const old = join(folder, `${version}.cjs`);
      await writeFile(
        old,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
      );
      const { code, out, err } = await start(["--require", old, entry, "status", "u"]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(`error: plinth needs Node.js ${needed} or newer, and this is ${version}`);
      expect(err).not.toMatch(/\n\s+at /);
    },
  );

  test("can read the entry: it has no syntax and no import of a later one than 14", async () => {
    const text = await readFile(entry, "utf8");
    expect(text).not.toMatch(
      /\?\?=|\|\|=|&&=|import\.meta\.(?:dirname|filename)|with \{|^await |\.at\(|#\w+\s*[=(]|static \{/m,
    );
    expect([...text.matchAll(/^import .*? from "(.*)";$/gm)].map(([, from]) => from)).toEqual([
      "node:fs",
      "node:url",
    ]);
  });
});

/** Says with which flags and variables the replaced process began, and which variables it has at its end. */
const seenAtStart = `
  const own = () => Object.entries(process.env).filter(([name]) => name.startsWith("MALLOC_")).map((each) => each.join("="));
  if (process.execArgv.length > 2) console.error(JSON.stringify([...process.execArgv, ...own()]));
  process.on("exit", () => console.error(JSON.stringify(own())));
`;

test("on this Node.js it is the command, with the first line of a server where it starts one", async () => {
  expect(await start([entry, "--version"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: "",
  });
  expect(await start([entry, "provison"])).toMatchObject({ code: 2 });
  const seen = join(folder, "seen.cjs");
  await writeFile(seen, seenAtStart);
  const help = await start(["--require", seen, entry, "start", "--help"]);
  expect([help.code, help.out]).toEqual([0, expect.stringContaining("--data-dir")]);
  const [first] = (await readFile(new URL("main.ts", import.meta.url), "utf8")).split("\n");
  const [variables, flags] = first!.replace(/^#!\S+ -S /, "").split(" node ") as [string, string];
  const [before, after] = help.err
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(before).toEqual(["--require", seen, ...flags.split(" "), ...variables.split(" ")]);
  // The programs that it starts do not get them.
  expect(after).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "what cannot be written is said, and does not end with 0",
  async () => {
    const run = `exec "${process.execPath}" "${entry}" --help > /dev/full`;
    const { code, err } = await new Promise<{ code: unknown; err: string }>((done) => {
      execFile("/bin/sh", ["-c", run], { timeout: 60_000 }, (error, _out, said) =>
        done({ code: error === null ? 0 : error.code, err: said }),
      );
    });
    expect([code, err]).toEqual([
      1,
      "error: Standard output cannot be written. What was written is not whole (ENOSPC).\n",
    ]);
  },
);
