import { expect, it } from "vitest";
import { cloudEvents, type SourceEvent } from "./cloud-event.ts";

const origin = { source: "/api/coordinator", instance: "0123456789ab" };
const source = (more: Partial<SourceEvent>): SourceEvent => ({
  id: 42,
  type: "task",
  at: new Date("2026-11-21T08:20:43.167Z"),
  data: {},
  planId: "plan-1",
  planKind: "PROVISIONING",
  planAction: "PROVISION",
  originator: "user:default/ada",
  descriptorVersion: "1.0",
  unitKey: "urn:unit",
  unitId: "urn:Unit",
  environment: "development",
  traceparent: null,
  adapterId: "urn:adapter",
  isOutcomeUnknown: false,
  componentStatus: "DEPLOYED",
  unitStatus: null,
  ...more,
});
const listed = (more: Partial<SourceEvent>): any[] =>
  cloudEvents(source(more), origin).map(({ body }) => JSON.parse(body));

it("tells of access that has changed", () => {
  const data = { id: "acl:urn:port", status: "COMPLETED", action: "UPDATE_ACL", componentId: "urn:port" };
  expect(listed({ data, planKind: "ACCESS" })[1]).toEqual({
    specversion: "1.0",
    id: "evt_0123456789ab_42_access",
    source: "/api/coordinator",
    type: "plinth.access.changed",
    subject: "development/urn:Unit",
    time: "2026-11-21T08:20:43.167Z",
    datacontenttype: "application/json",
    data: {
      deploymentUnitId: "urn:Unit",
      environment: "development",
      planId: "plan-1",
      taskId: "acl:urn:port",
      componentId: "urn:port",
      action: "UPDATE_ACL",
    },
  });
});

it("tells of drift", () => {
  const components = [{ componentId: "urn:hull", result: "DRIFTED", why: "Other.", pointers: ["/a"] }];
  const data = {
    driftCheckId: "check-1",
    deploymentUnitId: "urn:Unit",
    environment: "production",
    components,
  };
  const none = { planId: null, planKind: null, unitId: null, environment: null };
  expect(listed({ type: "drift", data, ...none })).toEqual([
    {
      specversion: "1.0",
      id: "evt_0123456789ab_42",
      source: "/api/coordinator",
      type: "plinth.drift.found",
      subject: "production/urn:Unit",
      time: "2026-11-21T08:20:43.167Z",
      datacontenttype: "application/json",
      data: { deploymentUnitId: "urn:Unit", environment: "production", driftCheckId: "check-1", components },
    },
  ]);
});

const task = (more: object) => ({ id: "t", action: "PROVISION", componentId: "urn:hull", ...more });

it.each<[string, Partial<SourceEvent>, string[]]>([
  ["a log line", { type: "log" }, []],
  ["a task that was skipped", { data: task({ status: "SKIPPED" }) }, []],
  ["a task that never began", { data: task({ status: "TERMINATED" }) }, []],
  ["a task that begins", { data: task({ status: "RUNNING", startTime: "x" }) }, ["PROVISIONING_IN_PROGRESS"]],
  ["one that the adapter never saw", { data: task({ status: "FAILED", startTime: "x" }) }, ["DEPLOYED"]],
  [
    "the first of its component",
    { data: task({ status: "FAILED", startTime: "x" }), componentStatus: null },
    ["NOT_DEPLOYED"],
  ],
  [
    "one that was lost",
    { data: task({ status: "FAILED", startTime: "x", componentStatus: "CORRUPT" }) },
    ["CORRUPT"],
  ],
  [
    "a validation",
    { data: { ...task({ status: "COMPLETED", startTime: "x" }), action: "VALIDATE_COMPONENT" } },
    [],
  ],
])("the component's status after %s", (_, more, statuses) => {
  const found = listed(more).filter(({ type }) => type === "plinth.component.status-changed");
  expect(found.map(({ data }) => data.status)).toEqual(statuses);
});

it("what belongs to no unit has its plan for a subject", () => {
  const plan = {
    type: "plan",
    data: { status: "RUNNING" },
    planKind: "VALIDATION",
    unitId: null,
    unitKey: null,
  };
  expect(listed(plan).map(({ type, subject }) => [type, subject])).toEqual([
    ["plinth.plan.status-changed", "plan/plan-1"],
  ]);
});
