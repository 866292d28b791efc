/** Decodes what exporters send: `ExportTraceServiceRequest` of opentelemetry-proto, as protobuf or JSON. The numbers are those of its messages. */
import { createRequire } from "node:module";
import { join } from "node:path";

export interface ReceivedSpan {
  name: string;
  /** As in the protocol: 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentId: string;
  attributes: Record<string, unknown>;
  /** 0 unset, 2 error. */
  status: number;
  statusMessage: string;
  links: { traceId: string; spanId: string }[];
  events: number;
  scope: string;
  /** Attributes of the process. */
  resource: Record<string, unknown>;
  startedAt: bigint;
  endedAt: bigint;
}

interface Field {
  type: string;
  id: number;
  rule?: "repeated";
}

const one = (type: string, id: number): Field => ({ type, id });
const many = (type: string, id: number): Field => ({ rule: "repeated", type, id });

const messages: Record<string, Record<string, Field>> = {
  Request: { resourceSpans: many("ResourceSpans", 1) },
  ResourceSpans: { resource: one("Resource", 1), scopeSpans: many("ScopeSpans", 2) },
  Resource: { attributes: many("KeyValue", 1) },
  ScopeSpans: { scope: one("Scope", 1), spans: many("Span", 2) },
  Scope: { name: one("string", 1), version: one("string", 2) },
  Span: {
    traceId: one("bytes", 1),
    spanId: one("bytes", 2),
    parentSpanId: one("bytes", 4),
    name: one("string", 5),
    kind: one("int32", 6),
    startTimeUnixNano: one("fixed64", 7),
    endTimeUnixNano: one("fixed64", 8),
    attributes: many("KeyValue", 9),
    events: many("Event", 11),
    links: many("Link", 13),
    status: one("Status", 15),
  },
  Event: { name: one("string", 2), attributes: many("KeyValue", 3) },
  Link: { traceId: one("bytes", 1), spanId: one("bytes", 2) },
  Status: { message: one("string", 2), code: one("int32", 3) },
  KeyValue: { key: one("string", 1), value: one("AnyValue", 2) },
  AnyValue: {
    stringValue: one("string", 1),
    boolValue: one("bool", 2),
    intValue: one("int64", 3),
    doubleValue: one("double", 4),
    arrayValue: one("ArrayValue", 5),
  },
  ArrayValue: { values: many("AnyValue", 1) },
};

/** A part of protobufjs, which the SDK of deploy/opentelemetry brings. */
interface Protobuf {
  Root: { fromJSON(json: object): { lookupType(name: string): MessageType } };
}
interface MessageType {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): Request;
}

interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string | number;
  doubleValue?: number;
  arrayValue?: { values?: AnyValue[] };
}
interface KeyValue {
  key: string;
  value?: AnyValue;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind?: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: KeyValue[];
  events?: unknown[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number; message?: string };
}
interface Request {
  resourceSpans?: {
    resource?: { attributes?: KeyValue[] };
    scopeSpans?: { scope?: { name?: string }; spans?: Span[] }[];
  }[];
}

/** A decoder; `sdkFolder` is where the SDK is installed. */
export function createDecoder(sdkFolder: string): (body: Buffer, contentType: string) => ReceivedSpan[] {
  const nested = Object.entries(messages).map(([name, fields]) => [name, { fields }]);
  const { Root } = createRequire(join(sdkFolder, "package.json"))("protobufjs/light") as Protobuf;
  const type = Root.fromJSON({ nested: Object.fromEntries(nested) }).lookupType("Request");
  return (body, contentType) => {
    if (contentType.startsWith("application/json"))
      return spansOf(JSON.parse(body.toString("utf8")) as Request, (id) => id);
    const toHex = (id: string): string => Buffer.from(id, "base64").toString("hex");
    return spansOf(type.toObject(type.decode(body), { longs: String, bytes: String }), toHex);
  };
}

function spansOf({ resourceSpans = [] }: Request, toHex: (id: string) => string): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map((span) => ({
        name: span.name,
        kind: span.kind ?? 0,
        traceId: toHex(span.traceId),
        spanId: toHex(span.spanId),
        parentId: toHex(span.parentSpanId ?? ""),
        attributes: valuesOf(span.attributes),
        status: span.status?.code ?? 0,
        statusMessage: span.status?.message ?? "",
        links: (span.links ?? []).map((link) => ({
          traceId: toHex(link.traceId),
          spanId: toHex(link.spanId),
        })),
        events: span.events?.length ?? 0,
        scope: scope?.name ?? "",
        resource: valuesOf(resource?.attributes),
        startedAt: BigInt(span.startTimeUnixNano),
        endedAt: BigInt(span.endTimeUnixNano),
      })),
    ),
  );
}

const valuesOf = (attributes: KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value ?? {})]));

function valueOf({ arrayValue, intValue, ...value }: AnyValue): unknown {
  if (arrayValue !== undefined) return (arrayValue.values ?? []).map(valueOf);
  if (intValue !== undefined) return Number(intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}
