import { expect, it } from "vitest";
import { signToken, verifySigned } from "./signed-token.ts";

it("is good under each key of the installation, and under no other one", async () => {
  const [old, present, strange] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
  const at = new Date();
  const token = { tokenId: "t", owner: "user:default/ada", scopes: ["a", "b"], expiresAtMs: 0 };
  token.expiresAtMs = Math.ceil(at.getTime() / 1_000) * 1_000 + 60_000;
  const verify = (text: string) => verifySigned(text, { keys: [present!, old!], now: () => at });
  for (const key of [old!, present!]) expect(await verify(await signToken(key, token, at))).toEqual(token);
  await expect(verify(await signToken(strange!, token, at))).rejects.toMatchObject({
    kind: "unauthenticated",
  });
});
