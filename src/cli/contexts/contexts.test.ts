/** How contexts are stored, which server a command calls by them, and which token it sends there. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { playServer, run, type Ran } from "../testdata.ts";
import { contextFilePath, type Contexts } from "./context-file.ts";
import { resolveServer, type GivenServer } from "./resolve.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-contexts-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = (): string => join(home, "plinth", "contexts.json");
const context = (args: string[], input = ""): Promise<Ran> =>
  run(["context", ...args], { env: { XDG_CONFIG_HOME: home }, input });
const stored = async (): Promise<Contexts> => JSON.parse(await readFile(file(), "utf8"));

describe("the file", () => {
  test.each([
    [{ XDG_CONFIG_HOME: "/x", HOME: "/h" }, "/x/plinth/contexts.json"],
    [{ XDG_CONFIG_HOME: "relative", HOME: "/h" }, "/h/.config/plinth/contexts.json"],
    [{ HOME: "/h" }, "/h/.config/plinth/contexts.json"],
    [{}, undefined],
  ])("of %j is at %s", (env, path) => expect(contextFilePath(env)).toBe(path));

  test("is only the user's, and tokens are shown nowhere", async () => {
    const set = await context(
      ["set", "prod", "--url", "https://plinth.example.com", "--token-stdin"],
      "s3cret-token\n",
    );
    expect(set).toEqual({
      code: 0,
      out: "The context prod is https://plinth.example.com, with a token, and the current one.\n",
      err: "",
    });
    expect([(await stat(file())).mode & 0o777, await readdir(join(home, "plinth"))]).toEqual([
      0o600,
      ["contexts.json"],
    ]);
    expect(await stored()).toEqual({
      current: "prod",
      contexts: { prod: { url: "https://plinth.example.com", token: "s3cret-token" } },
    });
    const list = await context(["list"]);
    expect(list.out).toMatch(
      /^ +CONTEXT +URL +TOKEN +CACERT\n\* +prod +https:\/\/plinth\.example\.com +stored\n$/,
    );
    const json = await context(["list", "--json"]);
    expect(JSON.parse(json.out)).toEqual({
      contexts: [
        {
          name: "prod",
          current: true,
          url: "https://plinth.example.com",
          hasToken: true,
          cacert: null,
          signedInAt: null,
        },
      ],
    });
    expect(list.out + json.out + set.out).not.toContain("s3cret");
  });

  test("that others can read is refused, with what to do", async () => {
    await context(["set", "prod", "--url", "https://a"]);
    await chmod(file(), 0o644);
    const ran = await context(["list"]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`chmod 600 ${file()}`)]);
  });

  test.each(["{", "[]", '{"contexts":{"a":{}}}'])(
    "with %s in it is refused, and never written over",
    async (text) => {
      await mkdir(join(home, "plinth"));
      await writeFile(file(), text, { mode: 0o600 });
      expect(await context(["set", "b", "--url", "https://b"])).toMatchObject({ code: 2 });
      expect(await readFile(file(), "utf8")).toBe(text);
    },
  );
});

describe("the commands", () => {
  test("set changes what is given, and a token never goes along to another address", async () => {
    await context(["set", "prod", "--url", "https://a.example.com", "--token", "one"]);
    await context(["set", "test", "--url", "https://b.example.com"]);
    expect(await stored()).toMatchObject({ current: "prod" });
    await context(["set", "prod", "--cacert", "/etc/ca.pem", "--url", "https://a.example.com/base"]);
    expect((await stored()).contexts["prod"]).toEqual({
      url: "https://a.example.com/base",
      token: "one",
      cacert: "/etc/ca.pem",
    });
    const moved = await context(["set", "prod", "--url", "https://c.example.com", "--use"]);
    expect(moved.err).toContain("was for another address and is removed");
    expect((await stored()).contexts["prod"]).toEqual({
      url: "https://c.example.com",
      cacert: "/etc/ca.pem",
    });
    await context(["set", "prod", "--token", "two", "--cacert", ""]);
    expect((await stored()).contexts["prod"]).toEqual({ url: "https://c.example.com", token: "two" });
  });

  test("use and remove", async () => {
    await context(["set", "a", "--url", "https://a"]);
    await context(["set", "b", "--url", "https://b"]);
    expect(await context(["use", "b"])).toMatchObject({ code: 0, out: "Commands talk to https://b (b).\n" });
    expect(await context(["remove", "b"])).toMatchObject({
      out: "The context b is removed. There is no current context any more.\n",
    });
    expect(await stored()).toEqual({ contexts: { a: { url: "https://a" } } });
  });

  test.each<[string[], RegExp]>([
    [["use", "prd"], /There is no context prd; did you mean prod\?[^]*plinth context list/],
    [["remove", "constructor"], /There is no context constructor\./],
    [["set", "x"], /A new context needs an address/],
    [["set", "../x", "--url", "https://a"], /The name of a context has/],
    [["set", "x", "--url", "ftp://a"], /http:\/\/ or https:\/\//],
    [["set", "x", "--url", "https://a", "--token", "Bearer abc"], /without the word Bearer/],
    [["set", "x", "--url", "https://a", "--token", "a", "--token-stdin"], /Give either/],
    [["set", "x", "--url", "https://a", "--token-stdin"], /holds no token/],
  ])("%j is refused and changes nothing", async (args, message) => {
    await context(["set", "prod", "--url", "https://a"]);
    const before = await stored();
    const ran = await context(args);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(message)]);
    expect(await stored()).toEqual(before);
  });
});

describe("which server, and whose token", () => {
  const contexts: Contexts = {
    current: "now",
    contexts: {
      now: { url: "https://now", token: "now-token", cacert: "/now.pem" },
      bare: { url: "https://bare" },
    },
  };
  const cases: [string, GivenServer, Record<string, string>, (string | undefined)[]][] = [
    ["the current context", {}, {}, ["https://now", "now-token", "/now.pem"]],
    ["the environment before the context", {}, { PLINTH_TOKEN: "env" }, ["https://now", "env", "/now.pem"]],
    [
      "another address gets nothing of the context",
      {},
      { PLINTH_URL: "https://env" },
      ["https://env", undefined, undefined],
    ],
    [
      "an option before the environment",
      { url: "https://flag" },
      { PLINTH_URL: "https://env" },
      ["https://flag", undefined, undefined],
    ],
    [
      "a named context before PLINTH_URL and PLINTH_TOKEN",
      { context: "now" },
      { PLINTH_URL: "https://env", PLINTH_TOKEN: "env" },
      ["https://now", "now-token", "/now.pem"],
    ],
    ["PLINTH_CONTEXT", {}, { PLINTH_CONTEXT: "bare" }, ["https://bare", undefined, undefined]],
    [
      "PLINTH_TOKEN for a context without a token",
      { context: "bare" },
      { PLINTH_TOKEN: "env" },
      ["https://bare", "env", undefined],
    ],
    [
      "options before a named context",
      { context: "now", token: "flag", cacert: "f.pem" },
      {},
      ["https://now", "flag", "f.pem"],
    ],
  ];
  test.each(cases)("%s", (...row) => {
    const [, given, env, expected] = row;
    const { url, token, cacert } = resolveServer(given, env, () => contexts);
    expect([url.value, token?.value, cacert?.value]).toEqual(expected);
  });

  test("without any of them it is the server on this machine", () => {
    expect(resolveServer({}, {}, () => ({ contexts: {} })).url.value).toBe("http://127.0.0.1:7007");
  });

  test.each<[GivenServer, Record<string, string>, RegExp]>([
    [{ context: "nwo" }, {}, /no context nwo; did you mean now/],
    [{}, { PLINTH_CONTEXT: "gone" }, /no context gone/],
    [{ url: "https://a", context: "now" }, {}, /either --url or --context/],
  ])("%j with %j is refused", (given, env, message) => {
    expect(() => resolveServer(given, env, () => contexts)).toThrow(message);
  });

  test("over HTTP, and a refused token is named by where it comes from", async () => {
    const path = "GET /api/coordinator/v1/environments";
    const refusal = {
      status: 401,
      body: { detail: "The token is not known.", code: "PLATFORM_TOKEN_INVALID" },
    };
    await using server = await playServer({ [path]: [{ body: { data: [] } }, refusal, refusal, refusal] });
    await context(["set", "prod", "--url", server.url, "--token", "stored"]);
    const env = { XDG_CONFIG_HOME: home };
    expect(await run(["list", "environments"], { env })).toMatchObject({ code: 0, out: "There are none.\n" });
    const refused = await run(["list", "environments", "--context", "prod"], { env });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("The token of the context prod was sent."),
    ]);
    const expired = `x.${Buffer.from('{"exp":1700000000}').toString("base64url")}.y`;
    const late = await run(["list", "environments"], { env: { ...env, PLINTH_TOKEN: expired } });
    expect(late.err).toMatch(
      /The token of PLINTH_TOKEN was sent\.\n.*It expired at 2023-11-14T22:13:20\.000Z/,
    );
    const none = await run(["list", "environments", "--url", server.url], { env });
    expect(none.err).toContain("No token was sent.");
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer stored",
      "Bearer stored",
      `Bearer ${expired}`,
      undefined,
    ]);
    expect(late.err + refused.err).not.toMatch(/stored|eyJ/);
  });
});
