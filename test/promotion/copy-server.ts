/**
 * Makes a standby from a server that runs. The programs among the dependencies have no pg_basebackup, so the files are copied
 * as it does that: between the two statements for backups.
 */
import { spawnSync } from "node:child_process";
import { appendFile, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

export interface ServerCopy {
  /** An administrator of the server, connected to it all the time. */
  client: pg.Client;
  /** Data directories as `startEmbedded` has them; what is in the second one goes away. */
  from: string;
  to: string;
  /** Where the copy gets what happens later. */
  primaryConninfo: string;
}

const slot = "standby";
/** What belongs to the server that was copied alone. */
const own = ["pg_wal", "pg_replslot"];

export async function copyServer({ client, from, to, primaryConninfo }: ServerCopy): Promise<void> {
  const source = join(from, "postgres");
  const target = join(to, "postgres");
  // The slot of the standby that was there before, which held back what nobody will read.
  await client.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name = '${slot}' and not active`);
  await client.query(`select pg_create_physical_replication_slot('${slot}', true)`);
  await client.query("select pg_backup_start('copy', true)");
  await rm(target, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  // It says 1 for a file that went away meanwhile, which the log has.
  const { status } = spawnSync("cp", ["-a", source, target]);
  if (status !== 0 && status !== 1) throw new Error(`The copy of the server ended with ${status}.`);
  await rm(join(target, "postmaster.pid"), { force: true });
  for (const folder of own)
    for (const name of await readdir(join(target, folder)))
      if (name !== "archive_status" && name !== "summaries")
        await rm(join(target, folder, name), { recursive: true });
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  const { uid, gid } = await stat(source);
  for (const [name, text] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["standby.signal", ""],
  ] as const) {
    await writeFile(join(target, name), text);
    await chown(join(target, name), uid, gid);
  }
  const settings = {
    primary_conninfo: primaryConninfo,
    primary_slot_name: slot,
    synchronous_standby_names: "",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(target, "postgresql.auto.conf"), lines.join(""));
}
