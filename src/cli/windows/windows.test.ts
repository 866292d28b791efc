/** `windows` against a server that plays its answers. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const path = "/api/coordinator/v1/maintenance-windows";
const nights = {
  name: "nights",
  kind: "window",
  timeZone: "Europe/Rome",
  cron: "0 22 * * *",
  durationMinutes: 480,
};
const freeze = {
  name: "Year end",
  kind: "freeze",
  timeZone: "UTC",
  from: "2026-12-20T00:00:00.000Z",
  until: "2027-01-07T00:00:00.000Z",
};
const of = (environment: string, more: object) => ({
  environment,
  version: 3,
  windows: [],
  isOpen: true,
  reason: null,
  opensAt: null,
  waitingPlans: 0,
  ...more,
});
const closed = of("production", {
  windows: [nights, freeze],
  isOpen: false,
  reason: "It is outside of the maintenance windows until 2026-11-23T21:00:00.000Z.",
  waitingPlans: 2,
});

test("list says of each environment whether it is open, and of each window when it is", async () => {
  await using server = await playServer({
    [`GET ${path}`]: { body: { data: [of("development", {}), of("test", { waitingPlans: 1 }), closed] } },
  });
  expect((await run(["windows", "list", "--url", server.url])).out).toBe(
    [
      "development: open",
      "test: open. 1 plan waits.",
      "production: closed. It is outside of the maintenance windows until 2026-11-23T21:00:00.000Z. 2 plans wait.",
      "",
      "ENVIRONMENT  KIND    NAME      WHEN",
      "production   window  nights    0 22 * * * (Europe/Rome), 480 minutes",
      "production   freeze  Year end  2026-12-20T00:00:00Z to 2027-01-07T00:00:00Z",
      "",
    ].join("\n"),
  );
});

test("set sends the windows of the file and the version that it has read", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "plinth-windows-")), "windows.yaml");
  await writeFile(
    file,
    'windows: [{ name: nights, kind: window, cron: "0 22 * * *", durationMinutes: 480 }]',
  );
  await using server = await playServer({
    [`GET ${path}`]: { body: { data: [closed] } },
    [`PUT ${path}/production`]: { body: closed },
  });
  const ran = await run(["windows", "set", "production", "-f", file, "--url", server.url, "--json"]);
  expect([ran.code, JSON.parse(ran.out)]).toEqual([0, closed]);
  const windows = [{ name: "nights", kind: "window", cron: "0 22 * * *", durationMinutes: 480 }];
  expect(JSON.parse(server.received[1]?.body ?? "")).toEqual({ version: 3, windows });
});

test.each([
  ["no list", "name: nights", "has no list of windows"],
  ["no YAML", "[", "is not valid YAML"],
])("set refuses a file with %s", async (_case, text, message) => {
  const file = join(await mkdtemp(join(tmpdir(), "plinth-windows-")), "windows.yaml");
  await writeFile(file, text);
  const ran = await run(["windows", "set", "production", "-f", file, "--url", "http://127.0.0.1:9"]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(message);
});
