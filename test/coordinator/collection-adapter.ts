/**
 * A tech adapter for a document database, in the shape of a public one: an output port is a database, and each of its
 * subcomponents is a collection that is created, dropped and opened to readers by a call of its own. It looks for a
 * collection in the `components` of what its id says it is nested in, and answers at once.
 */
import { load } from "js-yaml";
import { startHttpPeer } from "../support/http-peer.ts";

interface Described {
  id: string;
  name?: string;
  components?: Described[];
}

export interface CollectionAdapter {
  url: string;
  /** `<operation> <id>` of each call, the id without that of the unit. */
  calls: string[];
  /** Bodies of the last call of each, by the same words. */
  bodies: Map<string, any>;
  /** Ids of the collections that there are. */
  collections: Set<string>;
  /** Readers of each collection. */
  readers: Map<string, string[]>;
  /** Words of calls that fail. */
  failing: Set<string>;
  close(): Promise<void>;
}

function nestedIn(parent: Described | undefined, id: string): Described | undefined {
  const next = parent?.components?.find((each) => each.id === id || id.startsWith(`${each.id}:`));
  return next === undefined || next.id === id ? next : nestedIn(next, id);
}

export async function startCollectionAdapter(unitPrefix: string): Promise<CollectionAdapter> {
  const adapter = {
    calls: [] as string[],
    bodies: new Map<string, unknown>(),
    collections: new Set<string>(),
    readers: new Map<string, string[]>(),
    failing: new Set<string>(),
  };
  const peer = await startHttpPeer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const operation = (request.url ?? "").split("/").at(-1) ?? "";
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const { status, answer } = carryOut(operation, body);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });

  const carryOut = (operation: string, body: any): { status: number; answer: object } => {
    const text = operation === "updateacl" ? body.provisionInfo.request : body.descriptor;
    const { dataProduct, componentIdToProvision: id } = load(text) as {
      dataProduct: { components: Described[] };
      componentIdToProvision: string;
    };
    const call = `${operation} ${id.replace(unitPrefix, "")}`;
    adapter.calls.push(call);
    adapter.bodies.set(call, body);
    const port = dataProduct.components.find((each) => each.id === id);
    const parent = dataProduct.components.find((each) => id.startsWith(`${each.id}:`));
    const collection = port === undefined ? nestedIn(parent, id) : undefined;
    if (port === undefined && collection === undefined)
      return { status: 400, answer: { errors: [`There is no component ${id}.`] } };
    if (operation === "validate") return { status: 200, answer: { valid: !adapter.failing.has(call) } };
    if (adapter.failing.has(call))
      return { status: 200, answer: { status: "FAILED", result: "The database is full." } };
    if (operation === "updateacl") adapter.readers.set(id, body.refs);
    else if (collection && operation === "provision") adapter.collections.add(id);
    else if (collection) adapter.collections.delete(id);
    const info = { publicInfo: { of: collection?.name ?? port?.name }, privateInfo: {} };
    return { status: 200, answer: { status: "COMPLETED", result: "", info } };
  };
  return {
    ...adapter,
    url: peer.url,
    close: peer.close,
  };
}
