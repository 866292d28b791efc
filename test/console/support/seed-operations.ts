/** What the pages of operations have to show: webhooks that arrive and that are given up, chats, windows, checks by the clock, tokens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import type { Caller } from "./caller.ts";

export interface Receiver {
  /** Its paths are the names of what is sent to it; those that were mended answer 204, `ledger` and `on-call` do not before that. */
  url: string;
  mend: (name: string) => void;
  close: () => Promise<void>;
}

/** Stands for the programs of others that get webhooks and messages of chats. */
export async function startReceiver(): Promise<Receiver> {
  const broken = new Set(["/ledger", "/on-call"]);
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(broken.has(request.url ?? "") ? 500 : 204).end());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mend: (name) => void broken.delete(`/${name}`),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const secret = `whsec_${Buffer.from("the receiver of the stories has this").toString("base64")}`;

export function configureOperations(config: Config, { url }: Receiver): void {
  const webhook = (name: string, events: Config["coordinator"]["webhooks"][number]["events"]) => ({
    name,
    url: `${url}/${name}`,
    secrets: [secret],
    ...(events !== undefined && { events }),
    timeoutMs: 5000,
    parallel: 4,
    retryDelaysMs: [20],
  });
  config.coordinator.webhooks = [
    webhook("warehouse", undefined),
    webhook("ledger", ["plinth.unit.status-changed"]),
  ];
  const chat = (name: string) => ({
    name,
    format: "json" as const,
    webhookUrl: `${url}/${name}`,
    kinds: ["PLAN_FAILED" as const, "UNKNOWN_OUTCOME" as const],
    details: true,
    timeoutMs: 5000,
    digestMinutes: 0,
    retryDelaysMs: [20],
  });
  config.notices.chats = [chat("operations"), chat("on-call")];
  config.coordinator.drift.schedules = [
    { environment: "production", cron: "0 4 * * *", timeZone: "Europe/Rome", reconcile: "ask" },
    { environment: "development", everyMinutes: 1440, timeZone: "UTC", reconcile: "off" },
  ];
}

/** The windows of production, and a program with a token. */
export async function addOperations(guest: Caller): Promise<void> {
  const now = new Date();
  const year = now.getUTCFullYear() + 1;
  // Always over, or days away: stories start plans in production.
  const day = (now.getUTCDay() + 3) % 7;
  await guest.call("PUT", "/api/coordinator/v1/maintenance-windows/production", {
    version: 0,
    windows: [
      {
        name: "Every week",
        kind: "freeze",
        timeZone: "Europe/Rome",
        cron: `0 18 * * ${day}`,
        durationMinutes: 3600,
      },
      {
        name: "Turn of the year",
        kind: "freeze",
        from: `${year}-12-20T00:00:00Z`,
        until: `${year + 1}-01-07T00:00:00Z`,
      },
    ],
  });
  await guest.call("PUT", "/api/auth/v1/service-accounts/deploy-bot", {
    roles: ["developer"],
    description: "Deploys what is merged.",
  });
  await guest.call("POST", "/api/auth/v1/tokens", {
    name: "merges",
    service: "deploy-bot",
    expiresInDays: 90,
  });
  await guest.call("POST", "/api/auth/v1/tokens", {
    name: "nightly report",
    roles: ["viewer"],
    scopes: ["coordinator:read"],
    expiresInDays: 5,
  });
  await guest.call("POST", "/api/coordinator/v1/notices/test", { channel: "on-call" });
}
