/** The span of a request, with the names of the semantic conventions for HTTP servers. */
import type { IncomingMessage } from "node:http";
import { noParent, startSpan, type LiveSpan } from "../../telemetry/spans.ts";
import { healthPaths } from "../paths.ts";

export type RequestSpan = LiveSpan<"request">;

/** Methods that HTTP defines; others would be names that callers choose. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]);

/** Undefined for the paths that machines ask every few seconds, and while no SDK is registered. `path` is without the query. */
export function startRequestSpan(request: IncomingMessage, path: string): RequestSpan | undefined {
  if (healthPaths.includes(path)) return undefined;
  const { traceparent } = request.headers;
  const method = request.method ?? "GET";
  const isKnown = methods.has(method);
  return startSpan("request", {
    name: isKnown ? method : "HTTP",
    // A request without trace context begins a trace of its own, whatever runs here.
    parent: typeof traceparent === "string" ? traceparent : noParent,
    attributes: () => ({
      "http.request.method": isKnown ? method : "_OTHER",
      "http.request.method_original": isKnown ? null : method,
      "url.path": path,
      "url.scheme": "encrypted" in request.socket ? "https" : "http",
      "network.protocol.version": request.httpVersion,
    }),
  });
}

/** Once it is known what is asked for. */
export function nameRequestSpan(
  span: RequestSpan,
  { method, operation, requestId }: { method: string; operation: string; requestId: string },
  route: string | undefined,
): void {
  if (route !== undefined) span.rename(`${method} ${route}`);
  span.set({ "http.route": route, "plinth.operation": operation, "plinth.request.id": requestId });
}

export function endRequestSpan(span: RequestSpan, status: number): void {
  span.set({ "http.response.status_code": status });
  if (status >= 500) span.fail(String(status));
  span.end();
}
