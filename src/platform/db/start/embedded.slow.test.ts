import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../../../../test/support/eventually.ts";
import { startEmbedded } from "./embedded.ts";

it("a start that is ended while it makes the database leaves nothing, and the next one makes it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-embedded-"));
  try {
    const stop = new AbortController();
    const starting = startEmbedded({ dataDir, signal: stop.signal }).catch((error: Error) => error);
    await eventually("the database in the making", async () =>
      (await readdir(dataDir)).some((name) => name.endsWith(".new")),
    );
    stop.abort(new Error("stopped"));
    expect(await starting).toMatchObject({ message: "stopped" });
    expect((await readdir(dataDir)).filter((name) => name !== "postgres.password")).toEqual([]);

    const [one, other] = await Promise.all([startEmbedded({ dataDir }), startEmbedded({ dataDir })]);
    expect(one.port).toBe(other.port);
    await one.stop();
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    expect(await readdir(join(dataDir, "postgres.users"))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);

it("a start that fails leaves no note and no server", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-embedded-"));
  try {
    const starting = startEmbedded({ dataDir, settings: { shared_buffers: "none" } });
    await expect(starting).rejects.toMatchObject({ code: "PLATFORM_EMBEDDED_DATABASE" });
    expect(await readdir(join(dataDir, "postgres.users"))).toEqual([]);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);
