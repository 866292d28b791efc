/**
 * Bundles pg-boss without `rrule-temporal`, which includes an implementation of Temporal. pg-boss uses it for calendar rules only, and all our
 * schedules are cron expressions. Goal: an idle process of at most 130 MB (bench/idle.ts). Figures: docs/decisions/2026-11-29-memory-of-glibc.md.
 */
import type { Plugin } from "rolldown";

const id = "\0no-calendar-rules";

export const pgBossInPart: Plugin = {
  name: "pg-boss-in-part",
  resolveId: (source) => (source === "rrule-temporal" ? id : null),
  load: (module) => (module === id ? code : null),
};

const code = `export class RRuleTemporal {
  constructor() {
    throw new Error("The bundle has no calendar rules; a schedule has a cron expression.");
  }
}`;
