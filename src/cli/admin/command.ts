/** `plinth admin`: what operators of an installation do. */
import type { Command } from "commander";
import type { Cli, Run } from "../context.ts";
import { defineNewKey } from "./new-key.ts";
import { defineRekey } from "./rekey.ts";
import { defineRetention } from "./retention.ts";

export function defineAdmin(program: Command, cli: Cli, run: Run): void {
  const admin = program
    .command("admin")
    .summary("operate an installation")
    .description("What operators of an installation do.");
  defineRetention(admin, cli, run);
  defineNewKey(admin, cli, run);
  defineRekey(admin, cli, run);
}
