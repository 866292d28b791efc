/** Names, descriptions, descriptors, results, error messages and log lines of units. */
import { payloads } from "../../support/payloads.ts";
import { provision } from "../../support/seed.ts";
import { mockAdapterId, unitOf, type SomeUnit } from "../../support/units.ts";
import { startLoggingAdapter } from "../adapter.ts";
import { chunks, forEach, send, type Stage, type WaysIn } from "./way-in.ts";

const loggingAdapterId = "urn:dmb:itm:logging:1";

type End = "COMPLETED" | "FAILED";

export async function sendThroughUnits(stage: Stage, ways: WaysIn): Promise<() => Promise<void>> {
  await forEach(chunks(payloads, 50), (part, index) => componentsOf(stage, ways, { part, index }));
  await forEach(chunks(payloads, 4), (part, index) => unitWith(stage, ways, { part, index }));
  ways.routes.push(
    { name: "units-payloads", path: "/units?q=payload" },
    { name: "payload-in-address", path: `/units?q=${encodeURIComponent(payloads[0] ?? "")}` },
  );
  const adapter = await startLoggingAdapter(stage.mock.url);
  await logLines(stage, ways, adapter.url);
  return adapter.close;
}

interface Part {
  part: string[];
  index: number;
}

/** One unit with a component for each; those of every other unit fail, with the payload as what the adapter says. */
async function componentsOf({ guest }: Stage, ways: WaysIn, { part, index }: Part): Promise<void> {
  const end: End = index % 2 === 0 ? "FAILED" : "COMPLETED";
  const unit = unitOf(`payload-parts-${index}`);
  unit.components = part.map((text, number) => ({
    id: `${unit.id}:part-${number}`,
    name: text,
    description: text,
    kind: "storage",
    version: "1.0.0",
    infrastructureTemplateId: mockAdapterId,
    dependsOn: [],
    tags: [{ tagFQN: text }],
    specific: {
      [text]: text,
      mock: {
        mode: "async",
        outcome: end,
        result: text,
        info: {
          publicInfo: { shown: { type: "string", label: text, value: text, href: text } },
          privateInfo: {},
        },
      },
    },
  }));
  const fields = ["component name", "component description", "descriptor field", "adapter's result and info"];
  const plan = await send(ways, { fields, count: part.length }, () => provision(guest, unit, end));
  if (plan !== undefined) addPages(ways, unit, plan);
}

async function unitWith({ guest }: Stage, ways: WaysIn, { part, index }: Part): Promise<void> {
  const [name = "", description = "", owner = "", version = ""] = part;
  const unit = {
    ...unitOf(`payload-${index}`, { owner }),
    name,
    description,
    version,
    tags: [{ tagFQN: version }],
  };
  unit.components = unit.components.slice(0, 1);
  const fields = ["unit name, description, owner, version"];
  const plan = await send(ways, { fields, count: part.length }, () => provision(guest, unit, "COMPLETED"));
  if (plan !== undefined && index < 3) addPages(ways, unit, plan);
}

async function logLines({ guest }: Stage, ways: WaysIn, url: string): Promise<void> {
  const adapter = { id: loggingAdapterId, name: "Logging", description: "Logs payloads", version: "1", url };
  await guest.call("POST", "/api/builder/register", { ...adapter, environment: "development" });
  const unit = unitOf("payload-logs", { mock: { raw: { mode: "async", outcome: "COMPLETED" } } });
  unit.components = unit.components
    .slice(0, 1)
    .map((component) => ({ ...component, infrastructureTemplateId: loggingAdapterId }));
  const plan = await send(ways, { fields: ["log line"], count: payloads.length }, () =>
    provision(guest, unit, "COMPLETED"),
  );
  if (plan !== undefined) addPages(ways, unit, plan);
}

function addPages(ways: WaysIn, unit: SomeUnit, plan: string): void {
  ways.routes.push(
    { name: "payload-plan", path: `/plans/${plan}` },
    { name: "payload-unit", path: `/units/${encodeURIComponent(unit.id)}` },
    { name: "payload-descriptor", path: `/units/${encodeURIComponent(unit.id)}?tab=descriptor` },
  );
}
