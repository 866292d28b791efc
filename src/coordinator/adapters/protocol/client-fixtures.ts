/** Shared fixtures of the client tests: calls, bodies and expected outcomes. */
import { silentLogger } from "../../../platform/lib/logger.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createOutbound } from "../../../platform/outbound/outbound.ts";
import type { AdapterOperation } from "./answers.ts";
import type { AdapterCall, AdapterClient } from "./client.ts";
import { createAdapterClient } from "./client.ts";
import { reverseProvisioningBody, updateAclBody } from "./request-bodies.ts";

export function openOutbound(): Outbound {
  return createOutbound(
    {
      allowedSchemes: ["http", "https"],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 10 * 1024 * 1024,
      timeoutMs: 30_000,
    },
    silentLogger,
  );
}

export const clientOf = (outbound: Outbound): AdapterClient =>
  createAdapterClient({ outbound, now: () => new Date(0) });

let calls = 0;

/** A call under an idempotency key of its own. */
export function callTo(url: string, more: Partial<AdapterCall> = {}): AdapterCall {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  return { url, idempotencyKey: `plan:task${++calls}:PROVISION`, traceparent, timeoutMs: 5_000, ...more };
}

export const componentBody = [
  Buffer.from('{"descriptorKind":"COMPONENT_DESCRIPTOR","descriptor":"dataProduct:\\n  id: u\\n'),
  Buffer.from('componentIdToProvision: c\\n","removeData":false}'),
];

export const bodies: Record<AdapterOperation, string | Buffer[]> = {
  provision: componentBody,
  unprovision: componentBody,
  updateacl: updateAclBody({
    refs: [],
    request: '{"dataProduct":{"components":[{"id":"c"}]},"componentIdToProvision":"c"}',
    result: "",
  }),
  "reverse-provisioning": reverseProvisioningBody({ useCaseTemplateId: "c", environment: "e" }),
};

/** Starts an operation that the adapter takes on, and gives its token. */
export async function acceptedToken(client: AdapterClient, call: AdapterCall, operation: AdapterOperation) {
  const accepted = await client.start(call, operation, bodies[operation]);
  if (accepted.type !== "accepted") throw new Error(`not accepted: ${JSON.stringify(accepted)}`);
  return accepted.token;
}

export const fault = (reason: string, more: { message?: unknown; [name: string]: unknown }) => ({
  type: "fault",
  reason,
  requestSent: true,
  retryable: false,
  ...more,
});

export const done = (more: object = {}) => ({
  type: "done",
  status: "COMPLETED",
  result: "done",
  info: null,
  logs: [],
  ...more,
});
