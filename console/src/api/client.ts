/** The interfaces of the server that served this page, typed from their OpenAPI documents. */
import { createClient, type PlinthClient } from "plinth-client";
import { watchAttention } from "./attention.ts";
import { basePath } from "./base-path.ts";
import { doubtSession } from "./session-state.ts";
import { createSignal } from "./signal.ts";

/** Whether the last request got an answer. */
export const reachability = createSignal<"reachable" | "unreachable">("reachable");

const proxyStatuses = new Set([502, 503, 504]);

/** A proxy that has no server to ask answers in its place. Each answer of the server has an id. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  proxyStatuses.has(status) && !headers.has("x-request-id");

const hasAttention = watchAttention(window);

/**
 * Requests carry the session's cookie. The first header proves that this page sends them, since no other site can set it. The second
 * header is set while nobody uses the page: such a request does not extend the session.
 */
const send = async (request: Request): Promise<Response> => {
  request.headers.set("x-plinth-console", "1");
  if (!hasAttention()) request.headers.set("x-plinth-unattended", "1");
  try {
    const response = await fetch(request);
    reachability.set(isOfProxy(response) ? "unreachable" : "reachable");
    if (response.status === 401) doubtSession();
    return response;
  } catch (error) {
    if (!request.signal.aborted) reachability.set("unreachable");
    throw error;
  }
};

/** Asks for a file of the console: proxies that lead to it need not lead to the health pages, and answer 502 while it is away. */
export const doesServerAnswer = async (): Promise<boolean> => {
  try {
    return (await fetch(`${basePath}/icon.svg`, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
};

export const api: PlinthClient = createClient({ url: location.origin + basePath, fetch: send });

/** A client whose requests are also told to `watch`: for streams, which open several connections. */
export const watchedClient = (watch: (opening: Promise<Response>) => void): PlinthClient =>
  createClient({
    url: location.origin + basePath,
    fetch: (request) => {
      const opening = send(request);
      watch(opening);
      return opening;
    },
  });
