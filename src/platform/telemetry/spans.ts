/**
 * Spans, by @opentelemetry/api alone: they are recorded by the SDK that an operator has loaded into the process, and without one nothing
 * is made. Parents are given as W3C trace context, so that work is a part of the trace of its request also in another process.
 */
import {
  context as contexts,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from "@opentelemetry/api";
import { Failure } from "../errors/failure.ts";
import { spanKinds, type AttributesOf, type SpanKindName } from "./span-kinds.ts";
import { formatTraceparent, parseTraceparent } from "./trace.ts";

type Value = string | number | boolean | string[] | null | undefined;

/** Null and undefined leave the attribute out. */
export type SpanValues<K extends SpanKindName> = { [A in AttributesOf<K>]?: Value };

export interface SpanStart<K extends SpanKindName> {
  name: string;
  /** W3C trace context of what the span is a part of, as a header or a row has it; by default the span of the code that runs. */
  parent?: string | null | undefined;
  /** Only called where the span is recorded. */
  attributes?: () => SpanValues<K>;
  /** Whether a rejection of the work is an error; every one unless told. */
  isError?: (error: unknown) => boolean;
  /** When it began, in milliseconds since 1970; now by default. */
  startTime?: number;
}

export interface LiveSpan<K extends SpanKindName> {
  /** Trace context for what is called, and for rows of what goes on later. */
  readonly traceparent: string;
  set(values: SpanValues<K>): void;
  rename(name: string): void;
  /** Marks it as an error. The type is a code or a class; texts stay in the log, since they may quote what others have sent. */
  fail(type: string): void;
  /** Runs the work under the span, so that spans begun in it become its children. */
  run<T>(work: () => T): T;
  end(): void;
}

/** A parent for spans that begin a trace, whatever runs at the time. */
export const noParent = "";

const roles = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** Undefined while no SDK is registered, which costs next to nothing. */
export function startSpan<K extends SpanKindName>(kind: K, start: SpanStart<K>): LiveSpan<K> | undefined {
  const tracer = registeredTracer();
  if (tracer === undefined) return undefined;
  const { name, parent, attributes, startTime } = start;
  const active = contexts.active();
  const context = contextOf(parent, active);
  const span = tracer.startSpan(
    name,
    {
      kind: roles[spanKinds[kind].role],
      attributes: toAttributes(attributes?.() ?? {}),
      links: linksTo(context, active),
      ...(startTime === undefined ? {} : { startTime }),
    },
    context,
  );
  return liveSpan(span, context);
}

/** Runs the work in a span that ends with it; a rejection marks it as an error. */
export async function inSpan<K extends SpanKindName, T>(
  kind: K,
  start: SpanStart<K>,
  work: (span: LiveSpan<K> | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(kind, start);
  if (span === undefined) return work(undefined);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    if (start.isError?.(error) ?? true) span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Whether an SDK is registered; what a span needs is only gathered then. */
export const isTracing = (): boolean => registeredTracer() !== undefined;

/** Trace context of the span of the code that runs. */
export function activeTraceparent(): string | undefined {
  const span = trace.getSpanContext(contexts.active());
  return span === undefined ? undefined : traceparentOf(span);
}

/** The span of the code that runs, where it is of the trace that a row names, and so nearer than the row; else what the row names. */
export function nearestTraceparent(given: string): string {
  const active = activeTraceparent();
  return active !== undefined && parseTraceparent(active)?.traceId === parseTraceparent(given)?.traceId
    ? active
    : given;
}

/** The class of an error: a code of ours where it has one, never its text. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof Failure) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return error.name === "Error" ? error.constructor.name : error.name;
}

/** Sends the spans that have ended and were not sent yet. Never rejects. */
export async function flushSpans(): Promise<void> {
  const provider = trace.getTracerProvider();
  const own = "getDelegate" in provider ? (provider as ProxyTracerProvider).getDelegate() : provider;
  if (!("forceFlush" in own)) return;
  await (own.forceFlush as () => Promise<void>)().catch(() => undefined);
}

/** The tracer of the SDK. Without one the provider is our own stand-in, which has none. */
function registeredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer("plinth")
    : provider.getTracer("plinth");
}

function contextOf(parent: string | null | undefined, active: Context): Context {
  if (parent === null || parent === undefined) return active;
  const given = parseTraceparent(parent);
  if (given === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = given;
  const current = trace.getSpanContext(active);
  // The span itself knows more than its trace context says.
  if (current?.spanId === spanId && current.traceId === traceId) return active;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, remote);
}

/** Work of one trace that code of another one has begun, such as a round that claimed it, says which. */
function linksTo(context: Context, active: Context): { context: SpanContext }[] {
  const current = trace.getSpanContext(active);
  const isElsewhere = current !== undefined && trace.getSpanContext(context)?.traceId !== current.traceId;
  return isElsewhere ? [{ context: current }] : [];
}

const liveSpan = <K extends SpanKindName>(span: Span, parent: Context): LiveSpan<K> => ({
  traceparent: traceparentOf(span.spanContext()),
  set: (values) => void span.setAttributes(toAttributes(values)),
  rename: (name) => void span.updateName(name),
  fail(type) {
    span.setAttribute("error.type", type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  },
  run: (work) => contexts.with(trace.setSpan(parent, span), work),
  end: () => span.end(),
});

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  formatTraceparent({ traceId, spanId, flags: traceFlags.toString(16).padStart(2, "0") });

/** Ids and names are chosen by users, who may choose long ones. */
const longestValue = 500;

function toAttributes(values: Readonly<Record<string, Value>>): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue;
    attributes[name] = typeof value === "string" ? value.slice(0, longestValue) : value;
  }
  return attributes;
}
