import { expect, test } from "vitest";
import { baseAction } from "./base-action.ts";
import type { WantedColumn } from "./base-action.ts";
import type { KnownStatus } from "./model.ts";

// The table of base actions, cell by cell: without and with preventRedeploy.
test.each<[KnownStatus, WantedColumn, string, string]>([
  ["NOT_DEPLOYED", "CHANGED", "DEPLOY / REQUESTED", "DEPLOY / REQUESTED"],
  ["NOT_DEPLOYED", "UNCHANGED", "DEPLOY / REQUESTED", "DEPLOY / REQUESTED"],
  ["NOT_DEPLOYED", "NOT_DEPLOYED", "NONE / ALREADY_NOT_DEPLOYED", "NONE / ALREADY_NOT_DEPLOYED"],
  ["NOT_DEPLOYED", "PRESERVED", "NONE / PRESERVED", "NONE / PRESERVED"],
  ["DEPLOYED", "CHANGED", "REDEPLOY / DESCRIPTOR_CHANGED", "REDEPLOY / DESCRIPTOR_CHANGED"],
  ["DEPLOYED", "UNCHANGED", "REDEPLOY / REQUESTED", "NONE / UNCHANGED"],
  ["DEPLOYED", "NOT_DEPLOYED", "UNDEPLOY / REQUESTED", "UNDEPLOY / REQUESTED"],
  ["DEPLOYED", "PRESERVED", "NONE / PRESERVED", "NONE / PRESERVED"],
  ["CORRUPT", "CHANGED", "DEPLOY / CORRUPT", "DEPLOY / CORRUPT"],
  ["CORRUPT", "UNCHANGED", "DEPLOY / CORRUPT", "DEPLOY / CORRUPT"],
  ["CORRUPT", "NOT_DEPLOYED", "UNDEPLOY / REQUESTED", "UNDEPLOY / REQUESTED"],
  ["CORRUPT", "PRESERVED", "NONE / PRESERVED", "NONE / PRESERVED"],
])("%s, wanted %s: %s, with preventRedeploy %s", (...[current, wanted, usual, prevented]) => {
  const cell = (preventRedeploy: boolean) => {
    const { action, reason } = baseAction(current, wanted, preventRedeploy);
    return `${action} / ${reason}`;
  };
  expect([cell(false), cell(true)]).toEqual([usual, prevented]);
});
