/**
 * Bodies of the adapters' provision and unprovision calls. Each holds the whole unit as YAML, so a plan of n
 * components would print n² of it: the text is therefore made once per plan, already escaped for JSON, and a
 * call's body is a list of shared pieces.
 *
 * A body depends only on the plan's request and on what the task's predecessors returned. So a repeat after a
 * crash sends the same bytes.
 */
import { descriptorText } from "../descriptor/descriptor-text.ts";
import type { Info, LastOperation, PlanRequest, SnapshotMember } from "./types.ts";

export interface KnownInfo {
  info: Info | null;
  lastOperation: LastOperation | null;
}

export interface BodyInput {
  action: "PROVISION" | "UNPROVISION" | "VALIDATE_COMPONENT";
  componentId: string;
  componentKey: string;
  /** True for the unit itself: the adapter then gets the DATAPRODUCT_DESCRIPTOR. */
  isRoot: boolean;
  removeData: boolean;
  /** What the task's predecessors in this plan returned, by component key. */
  predecessors: Map<string, KnownInfo>;
}

type Component = Record<string, unknown>;

/** `retired` are deployed snapshots that an unprovision needs: they replace or join the descriptor's own. */
export function createBodyBuilder(request: PlanRequest, retired: SnapshotMember[]) {
  const current = lazy(() => createTexts(request, []));
  const deployed = lazy(() => createTexts(request, retired));
  return (input: BodyInput): Buffer[] => {
    const texts = input.action === "UNPROVISION" ? deployed() : current();
    const kind = input.isRoot ? "DATAPRODUCT_DESCRIPTOR" : "COMPONENT_DESCRIPTOR";
    const body: Buffer[] = [Buffer.from(`{"descriptorKind":"${kind}","descriptor":"`)];
    if (input.isRoot) body.push(texts.unit());
    else
      body.push(
        texts.nested(),
        Buffer.from(escaped(descriptorText({ componentIdToProvision: input.componentId }))),
      );
    body.push(Buffer.from('"'));
    if (input.action !== "VALIDATE_COMPONENT") {
      const enriched = texts.enriched(input);
      if (enriched) body.push(Buffer.from(',"latestEnrichedDescriptor":"'), ...enriched, Buffer.from('"'));
      body.push(Buffer.from(`,"removeData":${input.removeData}`));
    }
    body.push(Buffer.from("}"));
    return body;
  };
}

function createTexts(request: PlanRequest, retired: SnapshotMember[]) {
  const { components: listed, ...header } = request.descriptor;
  const components = replaceRetired((Array.isArray(listed) ? listed : []) as Component[], retired);
  const headerText = lazy(() => (Object.keys(header).length > 0 ? descriptorText(header) : ""));
  const pieces = lazy(() =>
    components.map((component) => ({
      key: String(component["id"]).toLowerCase(),
      // A two-blank indent below `components:`; the enrichment is one more key of the same mapping.
      text: Buffer.from(escaped(descriptorText([withoutInfo(component)]))),
      hasInfo: component["info"] ?? null,
    })),
  );
  const known = new Map(Object.entries(request.enrichment));
  return {
    unit: lazy(() => Buffer.from(escaped(headerText() + "components:\n" + yamlList(components)))),
    nested: lazy(() =>
      Buffer.from(escaped("dataProduct:\n" + indent(headerText() + "components:\n" + yamlList(components)))),
    ),
    /** Null when nothing is known of any component yet: then there is nothing to tell. */
    enriched({ predecessors }: BodyInput): Buffer[] | null {
      if (known.size === 0 && predecessors.size === 0) return null;
      const text = [
        Buffer.from(escaped(headerText() + (components.length ? "components:\n" : "components: []\n"))),
      ];
      for (const piece of pieces()) {
        const state = predecessors.get(piece.key) ?? known.get(piece.key);
        text.push(piece.text, Buffer.from(escaped(infoLine(state ?? null, piece.hasInfo))));
      }
      return text;
    },
  };
}

const notStarted: LastOperation = { operation: "Deploy", status: "NotStarted" };

/** JSON is YAML too, so the info needs no indentation of its own. */
function infoLine(state: KnownInfo | null, given: unknown): string {
  const base = state?.info ?? (typeof given === "object" ? given : null) ?? {};
  const info = { ...base, latestProvisioningOperation: state?.lastOperation ?? notStarted };
  return `  info: ${JSON.stringify(info)}\n`;
}

function replaceRetired(components: Component[], retired: SnapshotMember[]): Component[] {
  const left = new Map(retired.map((member) => [member.key, member.descriptor as Component]));
  const replaced = components.map((component) => {
    const key = String(component["id"]).toLowerCase();
    const old = left.get(key);
    left.delete(key);
    return old ?? component;
  });
  return [...replaced, ...left.values()];
}

function withoutInfo(component: Component): Component {
  const { info: _, ...rest } = component;
  return rest;
}

const yamlList = (components: Component[]): string =>
  components.length > 0 ? descriptorText(components) : "  []\n";
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
