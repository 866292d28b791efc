/** A tracer provider for tests: keeps the spans that were begun. The official SDK is tested by `npm run test:traces`. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import {
  context,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type SpanStatus,
} from "@opentelemetry/api";

export interface RecordedSpan {
  name: string;
  kind: number | undefined;
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  attributes: Attributes;
  status: SpanStatus | undefined;
  /** Trace ids of the links. */
  links: string[];
  hasEnded: boolean;
}

export interface SpanRecorder {
  readonly spans: RecordedSpan[];
  named(name: string): RecordedSpan[];
  /** Takes the provider out of the process again. */
  stop(): void;
}

/** Spans that are begun from now on are kept. Without `isSampled` they are dropped, as a sampler does. */
export function recordSpans({ isSampled = true } = {}): SpanRecorder {
  const spans: RecordedSpan[] = [];
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options, parent = context.active()) =>
        newSpan(spans, { name, options, parent, isSampled }),
      startActiveSpan: () => {
        throw new Error("not used by the product");
      },
    }),
  });
  context.setGlobalContextManager(contextManager());
  return {
    spans,
    named: (name) => spans.filter((span) => span.name === name),
    stop() {
      trace.disable();
      context.disable();
    },
  };
}

interface NewSpan {
  name: string;
  options: SpanOptions | undefined;
  parent: Context;
  isSampled: boolean;
}

function newSpan(spans: RecordedSpan[], { name, options, parent, isSampled }: NewSpan): Span {
  const before = trace.getSpanContext(parent);
  const spanContext = {
    traceId: before?.traceId ?? randomBytes(16).toString("hex"),
    spanId: randomBytes(8).toString("hex"),
    traceFlags: isSampled ? 1 : 0,
  };
  if (!isSampled) return trace.wrapSpanContext(spanContext);
  const record: RecordedSpan = {
    name,
    kind: options?.kind,
    traceId: spanContext.traceId,
    spanId: spanContext.spanId,
    parentId: before?.spanId,
    attributes: { ...options?.attributes },
    status: undefined,
    links: (options?.links ?? []).map((link) => link.context.traceId),
    hasEnded: false,
  };
  spans.push(record);
  const span: Partial<Span> = {
    spanContext: () => spanContext,
    isRecording: () => true,
    setAttribute(key, value) {
      record.attributes[key] = value;
      return span as Span;
    },
    setAttributes(attributes) {
      Object.assign(record.attributes, attributes);
      return span as Span;
    },
    setStatus(status) {
      record.status = status;
      return span as Span;
    },
    updateName(other) {
      record.name = other;
      return span as Span;
    },
    end: () => void (record.hasEnded = true),
  };
  return span as Span;
}

function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.call(self as never, ...args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
