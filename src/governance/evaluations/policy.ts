/** What an evaluation has to know of a policy, of an exception and of a resource. */
import type { EngineSpec } from "../engines/engine.ts";

export interface Threshold {
  label: string;
  /** From here on; from the lowest number where it is absent. */
  from?: number | null;
  /** Up to here, not including it; up to the highest number where it is absent. */
  to?: number | null;
  colour?: string | null;
}

/** One version of a policy or of a metric, with the status that it had when it was read. */
export interface EvaluatedPolicy {
  id: string;
  version: number;
  kind: "policy" | "metric";
  name: string;
  advice: string | null;
  /** `local` sees the resource only; `global` also sees the unit that it belongs to. */
  context: "local" | "global";
  /** In any case; null for every type. */
  resourceType: string | null;
  /** Empty for every environment. */
  environments: readonly string[];
  /** An expression over the resource; null for every resource. */
  select: string | null;
  spec: EngineSpec;
  strategy: "default" | "previous_vs_current" | "none";
  status: "draft" | "grace" | "enabled" | "disabled";
  graceUntil: Date | null;
  onError: "warn" | "block";
  thresholds: readonly Threshold[];
}

/** An approved exception. */
export interface ApprovedException {
  id: string;
  policyId: string;
  /** Ids of the resources that it excuses. */
  resourceIds: readonly string[];
  /** Or an expression that selects them; null where the ids do. */
  select: string | null;
  /** Empty for every environment. */
  environments: readonly string[];
  until: Date;
}

/** Something that policies are evaluated over, in one environment. */
export interface Resource {
  id: string;
  displayName: string;
  environment: string;
  resourceType: string;
  /** Its parsed descriptor; undefined where only its name is known. */
  descriptor: unknown;
  /** The descriptor that is deployed; absent where none is known. */
  original?: unknown;
  /** The descriptor of the unit that it belongs to; absent where none is known. */
  unit?: unknown;
  /** Id of that unit; null for a resource of no unit. */
  unitId: string | null;
}
