/** Pure. The hash of a previewed plan, and what has changed since the preview. */
import { hash } from "node:crypto";
import type { Problem } from "../../../platform/errors/failure.ts";
import { hashComponent, hashRoot } from "../../planning/descriptor/hash.ts";
import { idKey } from "../../ids.ts";
import type { ProvisioningPlan } from "../../planning/plan.ts";
import type { PlanNode, PlanPart } from "../../planning/plan-graph.ts";

/**
 * A digest of everything that the plan depends on and, for units of a usual size, a few bytes for each
 * component. `policies` is the fingerprint of the policies that apply. The digest decides; the bytes only serve to name what has changed, so that previews need not be
 * stored.
 */
export function planHash(plan: ProvisioningPlan, policies?: string): string {
  const facts = factsOf(plan, policies);
  const digest = Buffer.from(hash("sha256", facts.map(textOf).join("\n"), "hex"), "hex").subarray(0, 16);
  const head = digest.toString("base64url");
  if (facts.length > maxNamed) return head;
  return `${head}.${Buffer.concat(facts.map(entryOf)).toString("base64url")}`;
}

/** Longer hashes would not fit into a header. */
const maxNamed = 256;

/** Why the plan is not the one that was previewed; empty when it is. */
export function movedSince(given: string, plan: ProvisioningPlan, policies?: string): Problem[] {
  const current = planHash(plan, policies);
  const [givenDigest, givenEntries = ""] = given.split(".");
  if (givenDigest === current.split(".")[0]) return [];
  const before = readEntries(givenEntries);
  const facts = factsOf(plan, policies);
  const moved = before.size === 0 ? [] : facts.flatMap((fact) => differences(fact, before));
  const now = new Set(facts.map((fact) => idOf(entryOf(fact))));
  const gone = [...before.keys()].filter((id) => !now.has(id)).length;
  if (gone > 0) moved.push(`${gone} of the components that were previewed are no longer part of the plan.`);
  if (moved.length === 0) moved.push("The descriptor, the request or the state of the unit is another.");
  const solution = "Preview again, look at what has changed, and start with the new planHash.";
  return moved.map((message) => ({ where: "/planHash", message, solution }));
}

interface Fact {
  /** Empty for the fact about the unit itself. */
  id: string;
  descriptor: string;
  state: string;
  action: string;
  /** For messages. */
  status: string;
}

function factsOf(plan: ProvisioningPlan, policies: string | undefined): Fact[] {
  const { planGraph, decisions, partDecisions } = plan;
  const header: Fact = {
    id: "",
    descriptor: hashRoot(planGraph.unit.descriptor),
    state: idKey(planGraph.unit.id) + (policies === undefined ? "" : ` ${policies}`),
    action: `removeData ${plan.removeData}`,
    status: "",
  };
  const nodes = planGraph.nodes.flatMap((node, index) => [
    factOf(node, { descriptor: descriptorOf(plan, node), action: decisions[index]!.action }),
    ...node.parts.map((part, place) =>
      factOf(part, {
        descriptor: part.component ? hashComponent(part.component.descriptor) : "removed",
        action: partDecisions[index]![place]!.action,
      }),
    ),
  ]);
  return [header, ...nodes];
}

const factOf = (
  { id, current, last }: PlanNode | PlanPart,
  { descriptor, action }: Pick<Fact, "descriptor" | "action">,
): Fact => ({
  id,
  descriptor,
  state: `${current} ${current === "NOT_DEPLOYED" ? "" : (last?.hash ?? "")}`,
  action,
  status: current,
});

function descriptorOf({ planGraph }: ProvisioningPlan, node: PlanNode): string {
  if (node.removed) return "removed";
  return node.component ? hashComponent(node.component.descriptor) : hashRoot(planGraph.unit.descriptor);
}

const textOf = ({ id, descriptor, state, action }: Fact): string =>
  JSON.stringify([idKey(id), descriptor, state, action]);

/** Bytes of an entry: which component, its descriptor, its state, its action. */
const parts = { id: 3, descriptor: 2, state: 2, action: 1 } as const;
const entryBytes = parts.id + parts.descriptor + parts.state + parts.action;

const short = (text: string, bytes: number): Buffer =>
  Buffer.from(hash("sha256", text, "hex").slice(0, bytes * 2), "hex");

const entryOf = (fact: Fact): Buffer =>
  Buffer.concat([
    short(idKey(fact.id), parts.id),
    short(fact.descriptor, parts.descriptor),
    short(fact.state, parts.state),
    short(fact.action, parts.action),
  ]);

const idOf = (entry: Buffer): string => entry.subarray(0, parts.id).toString("hex");

function readEntries(text: string): Map<string, Buffer> {
  const bytes = Buffer.from(text, "base64url");
  const found = new Map<string, Buffer>();
  for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
    const entry = bytes.subarray(at, at + entryBytes);
    found.set(idOf(entry), entry);
  }
  return found;
}

function differences(fact: Fact, before: Map<string, Buffer>): string[] {
  const now = entryOf(fact);
  const then = before.get(idOf(now));
  const isHeader = fact.id === "";
  if (!then) return [`${fact.id} was not part of the plan.`];
  const differs = (from: number, bytes: number): boolean =>
    then.compare(now, from, from + bytes, from, from + bytes) !== 0;
  const found: string[] = [];
  if (differs(parts.id, parts.descriptor)) {
    found.push(
      isHeader
        ? "The descriptor outside its components is another."
        : `The descriptor of ${fact.id} is another.`,
    );
  }
  if (differs(parts.id + parts.descriptor, parts.state)) {
    found.push(
      isHeader
        ? "The policies that apply are others."
        : `The state of ${fact.id} is another: it is ${fact.status} now.`,
    );
  }
  if (found.length > 0 || !differs(entryBytes - parts.action, parts.action)) return found;
  return [isHeader ? "removeData is another." : `The action of ${fact.id} is ${fact.action} now.`];
}
