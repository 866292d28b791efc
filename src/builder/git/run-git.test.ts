import { expect, it } from "vitest";
import { gitFailure } from "./run-git.ts";

it("tells the last words of git without what no text holds", () => {
  const { message } = gitFailure("fetch", "remote: a\u0000b\u001b[31m\nfatal: no\u0007such ref\n");
  expect(message).toBe("git fetch failed: remote: a b [31m fatal: no such ref");
});
