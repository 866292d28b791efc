import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { createTokenSigner } from "./run-token.ts";

it("signs with the first key and publishes all of them, so that tokens of before stay good", async () => {
  const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  let seeds = [old];
  const signer = createTokenSigner({
    seeds: () => seeds,
    issuer: "https://plinth.test",
    now: () => new Date(),
  });
  const sign = () => signer.sign({ ref: "user:default/ada", roles: ["viewer"], provider: "test" }, "agent");
  const verify = async (token: string) => {
    const keys = createLocalJWKSet(signer.keys());
    return (await jwtVerify(token, keys, { audience: "agent" })).protectedHeader.kid;
  };
  const before = await sign();
  seeds = [present, old];
  const after = await sign();
  expect(signer.keys().keys).toHaveLength(2);
  expect(new Set([await verify(before), await verify(after)]).size).toBe(2);
  seeds = [present];
  expect(await verify(after)).toBe(signer.keys().keys[0]?.["kid"]);
  await expect(verify(before)).rejects.toThrow("no applicable key");
});
