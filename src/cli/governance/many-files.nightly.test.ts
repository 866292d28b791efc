import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { startWholeServer } from "../../../test/support/server.ts";
import { run } from "../testdata.ts";
import { expectManyApplied } from "./testdata.ts";

test("a thousand policy files are applied, one that is wrong stops all, and a second time nothing is written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plinth-policies-"));
  const server = await startWholeServer();
  try {
    const env = { PLINTH_URL: server.url, PLINTH_TOKEN: server.token("operator") };
    const plinth = (line: string) => run(line.split(" "), { env, cwd: folder });
    await expectManyApplied({ plinth, folder, count: 1_000 });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
