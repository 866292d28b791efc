/** `plinth token` against a real server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../../../test/support/server.ts";
import { run, type Ran } from "../testdata.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

const token = (as: TestRole, ...args: string[]): Promise<Ran> =>
  run(["token", ...args], { env: { PLINTH_URL: server.url, PLINTH_TOKEN: tokenOf(as) } });
const with_ = (secret: string, ...args: string[]): Promise<Ran> =>
  run(args, { env: { PLINTH_URL: server.url, PLINTH_TOKEN: secret } });

test("create prints the token alone on standard output; it is listed, good for its scopes, and revoked", async () => {
  const made = await token(
    "operator",
    "create",
    "report",
    "--role",
    "viewer",
    "--scope",
    "coordinator:read",
    "--days",
    "7",
  );
  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^plinth_[\w-]{43}\n$/);
  expect(made.err).toMatch(
    /^It acts as service:default\/operator with viewer, for coordinator:read, until \S+Z\.\nIt is not shown again\. To revoke it: plinth token revoke (\S+)\n$/,
  );
  const secret = made.out.trim();
  const id = made.err.trim().split(" ").at(-1) ?? "";
  expect((await with_(secret, "list", "environments")).code).toBe(0);
  const refused = await with_(secret, "policy", "list");
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("listPolicies needs one of these scopes"),
  ]);
  const listed = await token("operator", "list");
  expect(listed.out).toMatch(/^ID +NAME +OWNER +ROLES +SCOPES +STATUS +EXPIRES +USED +TOKEN\n/);
  expect(listed.out).toContain(`report  service:default/operator  viewer  coordinator:read  active`);
  expect(listed.out).toContain(`…${secret.slice(-4)}`);
  expect(listed.out).not.toContain(secret);
  expect(await token("operator", "revoke", id)).toEqual({
    code: 0,
    out: `The token ${id} is revoked.\n`,
    err: "",
  });
  expect((await with_(secret, "list", "environments")).err).toContain("The token was revoked.");
  expect((await token("operator", "list")).out).not.toContain(id);
  const all = JSON.parse((await token("operator", "list", "--status", "ended", "--json")).out);
  expect(all.data).toEqual([expect.objectContaining({ id, status: "revoked" })]);
});

test("service accounts are set, listed, given tokens, and removed", async () => {
  const set = await token(
    "admin",
    "account",
    "set",
    "bot",
    "--role",
    "viewer",
    "--role",
    "developer",
    "--description",
    "deploys",
  );
  expect(set).toEqual({
    code: 0,
    out: "The service account bot acts as service:default/bot with viewer, developer.\n",
    err: "",
  });
  const made = JSON.parse((await token("admin", "create", "deploys", "--service", "bot", "--json")).out);
  expect(made).toMatchObject({ kind: "service", owner: "service:default/bot", scopes: ["all"] });
  expect((await token("admin", "account", "list")).out).toBe(
    "ACCOUNT  ROLES             TOKENS  DESCRIPTION\nbot      viewer developer       1  deploys\n",
  );
  expect((await token("operator", "list", "--owner", "service:default/bot")).out).toContain("deploys");
  expect((await token("operator", "list", "--all")).out).toContain("deploys");
  expect((await token("admin", "account", "remove", "bot")).code).toBe(0);
  expect((await with_(made.token, "list", "environments")).code).toBe(1);
  expect((await token("admin", "account", "list")).out).toBe("There are none.\n");
});

test.each<[string, TestRole, string[], number, string]>([
  ["what the server refuses", "viewer", ["create", "x", "--role", "admin"], 1, "The token can't have admin"],
  ["a role that there is not", "viewer", ["create", "x", "--role", "root"], 2, "Allowed choices are viewer"],
  ["days that are none", "viewer", ["create", "x", "--days", "0"], 2, "It must be a whole number above 0."],
  ["two owners", "viewer", ["list", "--owner", "a", "--all"], 2, "Give either --owner or --all."],
  ["an unknown token", "viewer", ["revoke", "none"], 4, "plinth token list --status all"],
  ["an unknown account", "admin", ["account", "remove", "none"], 4, "plinth token account list"],
])("%s ends with its exit code and says why", async (_what, as, args, ...expected) => {
  const { code, err } = await token(as, ...args);
  expect([code, err]).toEqual([expected[0], expect.stringContaining(expected[1])]);
});
