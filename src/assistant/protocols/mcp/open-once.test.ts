import { expect, it } from "vitest";
import { openOnce } from "./open-once.ts";

it("opens once for all, and again only after it has failed", async () => {
  let opened = 0;
  const open = openOnce(async (name: string) => {
    opened += 1;
    if (opened === 1) throw new Error("too many open files");
    return `${name} ${opened}`;
  });
  await expect(open("a")).rejects.toThrow("too many open files");
  expect(await Promise.all([open("b"), open("c")])).toEqual(["b 2", "b 2"]);
  expect(await open("d")).toBe("b 2");
});
