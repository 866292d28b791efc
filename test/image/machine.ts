/** The program laid out for a machine, and the systemd unit that starts it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Started by the unit's own command, as nobody; the unit is read by systemd where there is one. */
export function checkOnMachine(home: string): void {
  const program = join(home, "program");
  const made = spawnSync(process.execPath, [join(root, "scripts/image.ts"), "--program", program], {
    encoding: "utf8",
  });
  assert.equal(made.status, 0, made.stderr);
  const unit = readFileSync(join(root, "deploy/systemd/plinth.service"), "utf8").replaceAll(
    "/opt/plinth",
    program,
  );
  const command = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const [node = "", ...args] = command.slice(0, command.indexOf("start"));
  const asNobody = { encoding: "utf8", uid: 65_534, gid: 65_534, cwd: "/", env: {} } as const;
  const version = spawnSync(node, [...args, "--version"], asNobody);
  const { version: wanted } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  assert.equal(version.stdout.trim(), wanted, version.stderr);
  const file = join(home, "plinth.service");
  writeFileSync(file, unit);
  const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  if (verified.error !== undefined)
    return console.log(`ok the program on a machine; there is no systemd to read its unit`);
  assert.deepEqual([verified.status, verified.stdout + verified.stderr], [0, ""]);
  console.log("ok the program on a machine, and systemd reads its unit without a complaint");
}
