/** Policies and their results, exceptions, access requests, answers of hooks, tokens, windows, ownership rules, adapters. */
import { payloads } from "../../support/payloads.ts";
import { unitOf } from "../../support/units.ts";
import { chunks, forEach, send, type Stage, type WaysIn } from "./way-in.ts";

const governance = "/v1/computational-governance";

export async function sendThroughDecisions(stage: Stage, ways: WaysIn): Promise<void> {
  await policies(stage, ways);
  await accessRequests(stage, ways);
  await accounts(stage, ways);
  await settings(stage, ways);
  ways.routes.push(
    ...[
      "policies",
      "exceptions",
      "access",
      "hooks",
      "waiting",
      "tokens",
      "adapters",
      "ownership",
      "audit",
    ].map((name) => ({ name: `payloads-${name}`, path: `/${name}` })),
  );
}

async function policies({ guest }: Stage, ways: WaysIn): Promise<void> {
  await forEach(chunks(payloads, 5), async (part, index) => {
    const [name = "", description = "", advice = "", label = "", colour = ""] = part;
    const id = `payload-${index}`;
    const fields = ["policy name, description, advice, tag, threshold"];
    await send(ways, { fields, count: part.length }, () =>
      guest.call("POST", `${governance}/policies`, {
        id,
        name,
        description: `${description}\n${colour}`,
        advice,
        tags: [label.slice(0, 128)],
        kind: "policy",
        severity: "error",
        resourceType: "payload",
        engine: "json-schema",
        // Its message names what is missing.
        spec: { schema: { type: "object", required: part } },
        timing: "deployment",
        trigger: "active",
      }),
    );
    if (index < 3) ways.routes.push({ name: "policy-payload", path: `/policies/${id}` });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    await send(ways, { fields: ["exception reason"], count: part.length }, () =>
      guest.call("POST", `${governance}/exceptions`, {
        policyId: id,
        resourceIds: [name],
        reason: part.join("\n"),
        until,
      }),
    );
    await send(ways, { fields: ["evaluated resource"], count: part.length }, () =>
      guest.call("POST", `${governance}/evaluate`, {
        id: `payload-${index}`,
        displayName: name,
        version: description.slice(0, 128),
        environment: "development",
        resourceType: "payload",
        descriptor: { id: `payload-${index}`, kind: "payload", [advice]: label },
        labels: { [colour.slice(0, 60)]: label },
      }),
    );
  });
}

async function accessRequests({ ada, guest }: Stage, ways: WaysIn): Promise<void> {
  const unit = unitOf("fleet-positions");
  const port = unit.components[2]?.id;
  const asked: string[] = [];
  await forEach(chunks(payloads, 10), async (part, index) => {
    const request = await send(ways, { fields: ["access request reason"], count: part.length }, () =>
      ada.call("POST", "/api/builder/access-requests", {
        operation: "GRANT",
        deploymentUnitId: unit.id,
        environment: unit.environment,
        outputPortUrns: [port],
        identities: [`group:default/payload-${index}`],
        reason: part.join("\n"),
        accessControlFields: Object.fromEntries(part.map((text) => [text, text])),
      }),
    );
    if (request !== undefined) asked.push(request.id);
  });
  ways.routes.push(...asked.slice(0, 4).map((id) => ({ name: "access-payload", path: `/access/${id}` })));
  const { data: hooks } = await guest.call("GET", "/api/builder/hooks?limit=100");
  const open = hooks.filter(({ status }: any) => !["OK", "KO"].includes(status));
  await forEach(chunks(payloads, 20), async (part, index) => {
    const hook = open[index];
    if (hook === undefined) return;
    await send(ways, { fields: ["hook reason"], count: part.length }, () =>
      guest.call("POST", `/api/builder/hooks/${hook.hookId}/answer`, {
        status: "KO",
        reason: part.join("\n"),
      }),
    );
    if (index < 3) ways.routes.push({ name: "hook-payload", path: `/hooks/${hook.hookId}` });
  });
}

async function accounts({ guest }: Stage, ways: WaysIn): Promise<void> {
  await forEach(payloads.slice(0, 90), (name) =>
    send(ways, { fields: ["token name"], count: 1 }, () =>
      guest.call("POST", "/api/auth/v1/tokens", { name, roles: ["viewer"], expiresInDays: 1 }),
    ),
  );
  await forEach(chunks(payloads, 10), (part, index) =>
    send(ways, { fields: ["service account description"], count: part.length }, () =>
      guest.call("PUT", `/api/auth/v1/service-accounts/payload-${index}`, {
        roles: ["viewer"],
        description: part.join("\n"),
      }),
    ),
  );
}

async function settings({ guest }: Stage, ways: WaysIn): Promise<void> {
  await send(ways, { fields: ["maintenance window name"], count: 100 }, () =>
    guest.call("PUT", "/api/coordinator/v1/maintenance-windows/production", {
      version: 0,
      windows: payloads.slice(0, 100).map((text) => ({
        name: text,
        kind: "freeze",
        from: "2020-01-01T00:00:00Z",
        until: "2020-01-02T00:00:00Z",
      })),
    }),
  );
  const rules = await guest.call("GET", `${governance}/ownership-rules`);
  await send(ways, { fields: ["ownership rule name"], count: payloads.length }, () =>
    guest.call("PUT", `${governance}/ownership-rules`, {
      version: rules.version,
      rules: payloads.map((name) => ({ name, domains: ["nowhere"], effect: "allow" })),
    }),
  );
  await forEach(chunks(payloads, 4), ([name = "", description = "", key = "", more = ""], index) =>
    send(ways, { fields: ["adapter name, description, properties"], count: 4 }, () =>
      guest.call("POST", "/api/builder/register", {
        id: `urn:dmb:itm:payload-${index}:1`,
        name,
        description,
        version: "1",
        url: "http://127.0.0.1:9/",
        environment: "development",
        properties: { [key]: more },
      }),
    ),
  );
  ways.routes.push({
    name: "adapter-payload",
    path: `/adapters/${encodeURIComponent("urn:dmb:itm:payload-0:1")}`,
  });
}
