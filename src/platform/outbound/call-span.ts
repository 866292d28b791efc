/** The span of an outbound call, with the names of the semantic conventions for HTTP clients. */
import {
  isTracing,
  nearestTraceparent,
  startSpan,
  type LiveSpan,
  type SpanValues,
} from "../telemetry/spans.ts";
import { OutboundError } from "./outbound-error.ts";

export interface CallTrace {
  /** The path with its `{parameters}`, where it is the product's own; other paths may hold secrets and are not recorded. */
  template?: string;
  /** What precedes it in the address. */
  base?: string;
  attributes?: SpanValues<"call">;
}

interface TracedCall {
  method: string;
  headers?: Record<string, string>;
  trace?: () => CallTrace;
}

interface Target {
  url: URL;
  purpose: string | undefined;
}

/** Makes the call with the headers that it is to send. Without an SDK these are the given ones. */
export async function inCallSpan<T extends { status: number }>(
  call: TracedCall,
  target: Target,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { headers = {} } = call;
  const span = isTracing() ? start(call, target) : undefined;
  if (span === undefined) return send(headers);
  try {
    const isTraced = headers["traceparent"] !== undefined;
    const answer = await span.run(() =>
      send(isTraced ? { ...headers, traceparent: span.traceparent } : headers),
    );
    span.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span.fail(String(answer.status));
    return answer;
  } catch (error) {
    span.fail(error instanceof OutboundError ? error.reason : "failed");
    throw error;
  } finally {
    span.end();
  }
}

function start(
  { method, headers, trace }: TracedCall,
  { url, purpose }: Target,
): LiveSpan<"call"> | undefined {
  const { template, base = url.origin, attributes }: CallTrace = trace?.() ?? {};
  const given = headers?.["traceparent"];
  return startSpan("call", {
    name: template === undefined ? method : `${method} ${template}`,
    parent: given === undefined ? undefined : nearestTraceparent(given),
    attributes: () => ({
      "http.request.method": method,
      "url.full": template === undefined ? scrubbed(url) : `${base}${template}`,
      "url.template": template,
      "server.address": url.hostname,
      "server.port": portOf(url),
      "plinth.outbound.purpose": purpose,
      ...attributes,
    }),
  });
}

/** Paths and queries of addresses that others have chosen may be credentials, as those of many webhooks are. */
const scrubbed = ({ origin, pathname }: URL): string =>
  pathname === "/" ? `${origin}/` : `${origin}/REDACTED`;

const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
