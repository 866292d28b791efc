/** The short form of `npm run test:outbound`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

it("policy, client and git see the same host in a text, or it is refused, over every field", async () => {
  const args = [join(import.meta.dirname, "main.ts"), "--urls", "500", "--calls", "54", "--seed", "7"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [[code], output, errors] = await Promise.all([
    once(child, "exit") as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(code, output + errors).toBe(0);
  expect(output).toContain("violations 0");
}, 120_000);
