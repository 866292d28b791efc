/**
 * What the miniatures share: an HTTP server that keeps every call, and what of a descriptor each of them reads. Each
 * miniature answers in the words of its framework and does as little as its technology needs.
 */
import { load } from "js-yaml";
import { isRecord } from "../../../src/platform/lib/is-record.ts";
import { startHttpPeer } from "../../support/http-peer.ts";

export type JsonObject = Record<string, unknown>;

export interface SeenCall {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  text: string;
  /** Parsed JSON; undefined when it is none. */
  body: unknown;
}

export interface Reply {
  status: number;
  /** Sent as JSON; a text with `type` goes out as it is. */
  body?: unknown;
  type?: string;
}

export interface Deployment {
  /** What the component's own part of the descriptor said. */
  specific: unknown;
  /** Where it was put, according to the info of its dependencies. */
  place: string;
  /** How often it was provisioned. */
  times: number;
  access: string[];
}

export interface Miniature {
  name: string;
  url: string;
  calls: SeenCall[];
  /** By component id, what is there. */
  deployed: Map<string, Deployment>;
  close(): Promise<void>;
}

type Handle = (call: SeenCall) => Reply | Promise<Reply>;

export async function serveMiniature(
  name: string,
  handlerOf: (deployed: Miniature["deployed"]) => Handle,
): Promise<Miniature> {
  const calls: SeenCall[] = [];
  const deployed: Miniature["deployed"] = new Map();
  const handle = handlerOf(deployed);
  const peer = await startHttpPeer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers } = request;
      const call = { method, path, headers, text, body: parsed(text) };
      calls.push(call);
      void Promise.resolve(handle(call)).then(({ status, body, type }) => {
        response.writeHead(status, { "content-type": type ?? "application/json" });
        response.end(
          body === undefined
            ? ""
            : typeof body === "string" && type !== undefined
              ? body
              : JSON.stringify(body),
        );
      });
    });
  });
  return {
    name,
    url: peer.url,
    calls,
    deployed,
    close: peer.close,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Found {
  unit: JsonObject;
  component: JsonObject;
  id: string;
  /** The component that it is part of. */
  parent: JsonObject | undefined;
}

/** The component that a COMPONENT_DESCRIPTOR is about; throws with words for its author. */
export function findInDescriptor(text: unknown): Found {
  const document: unknown = load(String(text));
  const unit = isRecord(document) ? document["dataProduct"] : undefined;
  if (!isRecord(document) || !isRecord(unit)) throw new Error("The descriptor has no dataProduct");
  const id = String(document["componentIdToProvision"]);
  const search = (owner: JsonObject, parent: JsonObject | undefined): Found | undefined => {
    const listed = Array.isArray(owner["components"]) ? owner["components"].filter(isRecord) : [];
    for (const component of listed) {
      if (component["id"] === id) return { unit, component, id, parent };
      const nested = search(component, component);
      if (nested) return nested;
    }
    return undefined;
  };
  const found = search(unit, undefined);
  if (!found) throw new Error(`Component ${id} not found in the data product`);
  return found;
}

/** `info` of the first dependency of the component, as adapters before 2.2 read it: from the descriptor itself. */
export function dependencyInfo({ unit, component }: Found): { id: string; info: unknown } | undefined {
  const [id] = Array.isArray(component["dependsOn"]) ? component["dependsOn"] : [];
  if (id === undefined) return undefined;
  const listed = Array.isArray(unit["components"]) ? unit["components"].filter(isRecord) : [];
  return { id: String(id), info: listed.find((each) => each["id"] === id)?.["info"] };
}

/** A text, or the other one in its place. */
export const textOr = (value: unknown, other: string): string => (typeof value === "string" ? value : other);

/** What lies at the path; undefined where it ends before. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((from, name) => (isRecord(from) ? from[name] : undefined), value);

/** Problems that a test wants to see, so that refusals can be shown. */
export const requestedProblems = ({ component }: Found): string[] => {
  const problems = at(component, "specific", "problems");
  return Array.isArray(problems) ? problems.map(String) : [];
};

export function deploy(deployed: Miniature["deployed"], { id, component }: Found, place: string): void {
  const before = deployed.get(id);
  const times = (before?.times ?? 0) + 1;
  deployed.set(id, { specific: component["specific"], place, times, access: before?.access ?? [] });
}

/** Work that goes on under tokens: running when first asked, then ended. */
export function createTasks(newToken: () => string) {
  const tasks = new Map<string, { polls: number; ended: JsonObject }>();
  return {
    start(ended: JsonObject): string {
      const token = newToken();
      tasks.set(token, { polls: 0, ended });
      return token;
    },
    /** Null for a token that was never given. */
    poll(token: string, running: JsonObject): JsonObject | null {
      const task = tasks.get(token);
      if (!task) return null;
      task.polls += 1;
      return task.polls === 1 ? running : task.ended;
    },
  };
}
