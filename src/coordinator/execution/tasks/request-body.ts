/**
 * Bodies of adapter calls and of notices to external services. Each contains the whole unit as YAML, so a
 * plan of n components would render n² component texts: the text is therefore made once per plan, already
 * escaped for JSON, and the body of a call is a list of shared buffers.
 *
 * A body depends only on the plan's request and on what the task's predecessors returned, so a retry after a
 * crash sends the same bytes.
 */
import { descriptorText } from "./descriptor-text.ts";
import { ownCallIds } from "../../planning/descriptor/own-calls.ts";
import {
  byEntry,
  componentsOf,
  dependenciesOf,
  dependencyInfo,
  keyOf,
  placesOf,
  withGuardian,
  withInfos,
  type Component,
  type DependencyInfo,
  type Places,
  replaceRetired,
  withNestedInfo,
} from "./dependency-info.ts";
import type { Info, LastOperation, PlanRequest, SnapshotMember } from "../types.ts";

export interface KnownInfo {
  info: Info | null;
  lastOperation: LastOperation | null;
}

export interface BodyInput {
  /** Includes what the adapters have returned so far; false for validations. */
  isEnriched: boolean;
  /** The component is undeployed: its deployed snapshot is used instead of the new descriptor. */
  isRetired: boolean;
  componentId: string;
  /** True for the unit itself: the adapter then gets the DATAPRODUCT_DESCRIPTOR. */
  isRoot: boolean;
  removeData: boolean;
  /** What the task's predecessors in this plan returned, by component key; without an info the earlier one stays. */
  predecessors: Map<string, KnownInfo>;
}

/** Input of a notice to an external service at the end of a plan. */
export interface NoticeInput {
  operation: string;
  planId: string;
  environment: string;
  unitId: string | null;
  predecessors: Map<string, KnownInfo>;
}

export interface BodyBuilder {
  call(input: BodyInput): Buffer[];
  notice(input: NoticeInput): Buffer[];
}

/**
 * `retired` are deployed snapshots for unprovision calls: they replace entries of the descriptor or are
 * added.
 */
export function createBodyBuilder(request: PlanRequest, retired: SnapshotMember[]): BodyBuilder {
  const current = lazy(() => createTexts(request, []));
  const deployed = lazy(() => createTexts(request, retired));
  const latest = (enriched: Buffer[] | null): Buffer[] =>
    enriched ? [Buffer.from(',"latestEnrichedDescriptor":"'), ...enriched, Buffer.from('"')] : [];
  return {
    call(input) {
      const texts = input.isRetired ? deployed() : current();
      const kind = input.isRoot ? "DATAPRODUCT_DESCRIPTOR" : "COMPONENT_DESCRIPTOR";
      const body: Buffer[] = [Buffer.from(`{"descriptorKind":"${kind}","descriptor":"`)];
      if (input.isRoot) body.push(texts.unit());
      else
        body.push(
          ...(input.isEnriched ? texts.nestedWithInfo(input) : [texts.nested()]),
          Buffer.from(escaped(descriptorText({ componentIdToProvision: input.componentId }))),
        );
      body.push(Buffer.from('"'));
      if (input.isEnriched) body.push(...latest(texts.enriched(input.predecessors)));
      body.push(Buffer.from(`,"removeData":${input.removeData}}`));
      return body;
    },
    notice({ operation, planId, environment, unitId, predecessors }) {
      const head = JSON.stringify({
        operation,
        executionPlanId: planId,
        environment,
        deploymentUnitId: unitId,
      });
      const texts = current();
      const descriptor = [Buffer.from(`${head.slice(0, -1)},"descriptor":"`), texts.unit(), Buffer.from('"')];
      return [...descriptor, ...latest(texts.enriched(predecessors)), Buffer.from("}")];
    },
  };
}

function createTexts(request: PlanRequest, retired: SnapshotMember[]) {
  const { components: listed, ...header } = request.descriptor ?? {};
  const components = guardedComponents(replaceRetired(componentsOf(listed), retired), request);
  const headerText = lazy(() => (Object.keys(header).length > 0 ? partOfText(header) : ""));
  const pieces = lazy(() =>
    components.map((component) => ({
      key: keyOf(component),
      // A two-blank indent below `components:`; the enrichment is one more key of the same mapping.
      text: Buffer.from(escaped(listEntry(withoutInfo(component)))),
      given: component["info"] ?? null,
      guardian: request.guardians?.[keyOf(component)],
      // Infos of subcomponents are inside the text, so the text of such a component is made for each call.
      nesting: ownCallIds(component).length > 0 ? withoutInfo(component) : null,
    })),
  );
  const known = new Map(Object.entries(request.enrichment));
  const statesAfter = (predecessors: Map<string, KnownInfo>) => (key: string) =>
    latestState(known.get(key), predecessors.get(key));
  const nested = lazy(() => {
    const head = "dataProduct:\n" + indent(headerText() + "components:\n");
    const entries = components.map((component) => Buffer.from(escaped(indent(listEntry(component)))));
    const none = components.length > 0 ? "" : "    []\n";
    return entriesAt([Buffer.from(escaped(head + none)), ...entries]);
  });
  const places = lazy(() => placesOf(components));
  return {
    unit: lazy(() => Buffer.from(escaped(headerText() + "components:\n" + yamlList(components)))),
    nested: () => nested().whole,
    /** The descriptor with the infos of the component's dependencies, each in its entry. */
    nestedWithInfo({ componentId, predecessors }: BodyInput): Buffer[] {
      const { whole, ends } = nested();
      const stateOf = statesAfter(predecessors);
      const infos = infosOfDependencies(places(), componentId, (key) => stateOf(key)?.info);
      const text: Buffer[] = [];
      let from = 0;
      for (const [index, keys] of byEntry(places(), infos.keys())) {
        const start = ends[index] ?? 0;
        const end = ends[index + 1] ?? start;
        const entry = components[index] ?? {};
        const [key] = keys;
        text.push(whole.subarray(from, start));
        if (keys.length === 1 && key === keyOf(entry) && entry["info"] === undefined) {
          // The entry is shared; the info is one more key of its mapping, indented by four spaces.
          const line = `    info: ${JSON.stringify(infos.get(key))}\n`;
          text.push(whole.subarray(start, end), Buffer.from(escaped(line)));
        } else {
          const guardians = request.guardians ?? {};
          text.push(Buffer.from(escaped(indent(listEntry(withInfos(entry, { infos, guardians }))))));
        }
        from = end;
      }
      return [...text, whole.subarray(from)].filter(({ length }) => length > 0);
    },
    /** Null when nothing of the unit was provisioned yet. */
    enriched(predecessors: Map<string, KnownInfo>): Buffer[] | null {
      if (known.size === 0 && predecessors.size === 0) return null;
      const stateOf = statesAfter(predecessors);
      const head = enrichedHeader(header, stateOf) ?? headerText();
      const text = [Buffer.from(escaped(head + (components.length ? "components:\n" : "components: []\n")))];
      const infoOf = (key: string, given: unknown) =>
        enrichedInfo(stateOf(key), { given, guardian: request.guardians?.[key] });
      for (const piece of pieces()) {
        const own = piece.nesting
          ? Buffer.from(escaped(descriptorText([withNestedInfo(piece.nesting, infoOf)])))
          : piece.text;
        // JSON is YAML too, so the info needs no indentation of its own.
        const info = `  info: ${JSON.stringify(enrichedInfo(stateOf(piece.key), piece))}\n`;
        text.push(own, Buffer.from(escaped(info)));
      }
      return text;
    },
  };
}

/** The parts as one buffer, and the end of each in it. */
function entriesAt(parts: Buffer[]): { whole: Buffer; ends: number[] } {
  let end = 0;
  const ends = parts.map(({ length }) => (end += length));
  return { whole: Buffer.concat(parts), ends };
}

/** The unit as it was sent to the adapter of a component, with the infos of the component's dependencies. */
export function sentDescriptor(
  request: PlanRequest,
  componentId: string,
  infoOf: ReadonlyMap<string, Info | null>,
): object {
  const { components, ...header } = request.descriptor ?? {};
  const guarded = guardedComponents(componentsOf(components), request);
  const infos = infosOfDependencies(placesOf(guarded), componentId, (key) => infoOf.get(key));
  const known = { infos, guardians: request.guardians ?? {} };
  return { ...header, components: guarded.map((component) => withInfos(component, known)) };
}

function infosOfDependencies(
  places: Places,
  componentId: string,
  infoOf: (key: string) => Info | null | undefined,
): Map<string, DependencyInfo> {
  const infos = new Map<string, DependencyInfo>();
  for (const key of dependenciesOf(places, keyOf({ id: componentId }))) {
    const info = dependencyInfo(infoOf(key));
    if (info) infos.set(key, info);
  }
  return infos;
}

function guardedComponents(components: Component[], request: PlanRequest): Component[] {
  // Null as well: plans of before guardians were known have none, and the database says so.
  const guardians = request.guardians ?? {};
  if (Object.keys(guardians).length === 0) return components;
  const infoOf = (key: string, given: unknown) =>
    guardians[key] === undefined ? undefined : withGuardian(given, guardians[key]);
  return components.map((component) =>
    guarded(withNestedInfo(component, infoOf), guardians[keyOf(component)]),
  );
}

/** An operation that returned no info leaves the latest that there was. */
function latestState(before: KnownInfo | undefined, after: KnownInfo | undefined): KnownInfo | null {
  if (after === undefined) return before ?? null;
  return { ...after, info: after.info ?? before?.info ?? null };
}

/** The header with the info of the unit itself; null where the unit itself was never provisioned. */
function enrichedHeader(header: Component, stateOf: (key: string) => KnownInfo | null): string | null {
  const state = stateOf(keyOf(header));
  if (state === null) return null;
  const { info: given, ...rest } = header;
  return `${partOfText(rest)}info: ${JSON.stringify(enrichedInfo(state, { given, guardian: undefined }))}\n`;
}

const notStarted: LastOperation = { operation: "Deploy", status: "NotStarted" };

interface Given {
  /** The info that the descriptor itself has. */
  given: unknown;
  guardian: string | undefined;
}

const enrichedInfo = (state: KnownInfo | null, { given, guardian }: Given): object => ({
  ...withGuardian(state?.info ?? given, guardian),
  latestProvisioningOperation: state?.lastOperation ?? notStarted,
});

const guarded = (component: Component, guardian: string | undefined): Component =>
  guardian === undefined ? component : { ...component, info: withGuardian(component["info"], guardian) };

function withoutInfo(component: Component): Component {
  const { info: _, ...rest } = component;
  return rest;
}

const yamlList = (components: Component[]): string =>
  components.length > 0 ? components.map(listEntry).join("") : "  []\n";

const listEntry = (component: Component): string => partOfText([component]);

/**
 * Removes the end marker that js-yaml adds after a text that ends in empty lines: the document goes on here.
 */
const partOfText = (part: object): string => descriptorText(part).replace(/\n\.\.\.\n$/, "\n");

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
