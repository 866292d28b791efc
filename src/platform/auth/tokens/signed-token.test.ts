import { SignJWT } from "jose";
import { expect, it } from "vitest";
import type { Role } from "../../lib/actor.ts";
import { signToken, verifySigned } from "./signed-token.ts";

it("is good under each key of the installation, and under no other one", async () => {
  const [old, present, strange] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
  const at = new Date();
  const token = {
    tokenId: "t",
    owner: "user:default/ada",
    roles: ["viewer" as const],
    scopes: ["a", "b"],
    expiresAtMs: 0,
  };
  token.expiresAtMs = Math.ceil(at.getTime() / 1_000) * 1_000 + 60_000;
  const verify = (text: string) => verifySigned(text, { keys: [present!, old!], now: () => at });
  for (const key of [old!, present!]) expect(await verify(await signToken(key, token, at))).toEqual(token);
  await expect(verify(await signToken(strange!, token, at))).rejects.toMatchObject({
    kind: "unauthenticated",
  });
});

it.each([
  ["none", [], []],
  ["those of before and one of a later release", ["viewer", "auditor"], ["viewer"]],
])("has the roles that it was made with: %s", async (_which, roles, read) => {
  const key = Buffer.alloc(32, 1);
  const at = new Date();
  const token = { tokenId: "t", owner: "user:default/ada", roles: roles as Role[], scopes: ["a"] };
  const signed = await signToken(key, { ...token, expiresAtMs: at.getTime() + 60_000 }, at);
  expect((await verifySigned(signed, { keys: [key], now: () => at })).roles).toEqual(read);
});

it("says nothing of roles where a program of before has made it", async () => {
  const key = Buffer.alloc(32, 1);
  const signed = await new SignJWT({ tid: "t", scope: "a" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("urn:plinth:access-tokens")
    .setSubject("user:default/ada")
    .setExpirationTime("1m")
    .sign(key);
  expect((await verifySigned(signed, { keys: [key], now: () => new Date() })).roles).toBeNull();
});
