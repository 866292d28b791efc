/**
 * W3C trace context without an SDK: a request continues its caller's trace, and what it calls continues the request's.
 * Only @opentelemetry/api is used; an operator's SDK that is loaded before us turns the no-op spans into real ones.
 */
import { randomFillSync } from "node:crypto";
import {
  context as contexts,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from "@opentelemetry/api";

export interface TraceParent {
  traceId: string;
  spanId: string;
  flags: string;
}

const wellFormed = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** Undefined for anything that the recommendation calls invalid; the caller then starts a trace of its own. */
export const parseTraceparent = (header: string | undefined): TraceParent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", rest] = wellFormed.exec(header ?? "") ?? [];
  const isValid =
    version !== undefined &&
    version !== "ff" &&
    (version !== "00" || rest === undefined) &&
    !zeros.test(traceId) &&
    !zeros.test(spanId);
  return isValid ? { traceId, spanId, flags } : undefined;
};

export const formatTraceparent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${flags}`;

/** A new span in the caller's trace, or in a new one when there is none. */
export const childTraceparent = (parent: TraceParent | undefined): string =>
  formatTraceparent({
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    flags: parent?.flags ?? "01",
  });

const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

/** Random bytes in hexadecimal; the pool saves a call of the generator for each. */
const randomHex = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
};

const tracer = trace.getTracer("plinth");

export interface RequestSpan {
  /** The header for outbound calls of the request. */
  traceparent: string;
  /** Runs the handler under the span, so that the SDK's own spans (database, outbound calls) become its children. */
  run: <T>(work: () => T) => T;
  end: (status: number) => void;
}

/** A server span for one request; undefined while no SDK records, which costs next to nothing. */
export const startRequestSpan = (name: string, parent: TraceParent | undefined): RequestSpan | undefined => {
  const context =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: Number.parseInt(parent.flags, 16),
          isRemote: true,
        });
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, context);
  return span.isRecording() ? recorded(span, context) : undefined;
};

const recorded = (span: Span, parent: Context): RequestSpan => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags.toString(16).padStart(2, "0") }),
    run: (work) => contexts.with(trace.setSpan(parent, span), work),
    end: (status) => {
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
};
