/**
 * The web console: its page for every address that a browser opens and nothing else answers, and the files that the page loads. An
 * address that is no operation's is answered here only where the request asks for a page; programs get the same 404 as without one.
 */
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { identify } from "../requests/client-address.ts";
import { exchangeOf } from "../requests/exchange.ts";
import type { Kit } from "../kit.ts";
import { notBuiltPage } from "./not-built-page.ts";
import { basePathPlaceholder, fileHeaders, noncePlaceholder, pageHeaders } from "./page-policy.ts";
import type { PageFile, PageFolder } from "./read-folder.ts";

export interface Pages {
  /** Answers the request where it is one for the console. `isKnown` says whether its path is that of an operation. */
  answer(request: FastifyRequest, reply: FastifyReply, isKnown: () => boolean): boolean;
}

export interface PagesOptions {
  /** Null where the console has not been built. */
  folder: PageFolder | null;
  /** Path of the server's address, without a slash at its end. */
  basePath: string;
  kit: Pick<Kit, "areaOf" | "clientAddressOf" | "isDraining">;
  /** Paths outside of the areas that something else answers, below which there is no page. */
  otherPaths: () => readonly string[];
}

export function createPages({ folder, basePath, kit, otherPaths }: PagesOptions): Pages {
  const source = folder?.index ?? notBuiltPage;
  // Put together for each answer, around its nonce.
  const parts = source.replaceAll(basePathPlaceholder, basePath).split(noncePlaceholder);
  const isPage = ({ url, headers }: FastifyRequest, path: string): boolean =>
    wantsPage(headers.accept) &&
    (folder !== null || path === "/") &&
    !path.startsWith("/assets/") &&
    !path.startsWith("/.well-known/") &&
    kit.areaOf(url) === undefined &&
    !otherPaths().some((other) => path === other || path.startsWith(`${other}/`));
  return {
    answer(request, reply, isKnown) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const path = request.url.split("?", 1)[0] ?? "/";
      const file = folder?.files.get(path);
      if (file === undefined && (!isPage(request, path) || isKnown())) return false;
      exchangeOf(reply.raw).operation = "console";
      identify(reply, kit);
      if (kit.isDraining()) void reply.header("connection", "close");
      if (file === undefined) {
        const nonce = randomBytes(18).toString("base64");
        send(reply, pageHeaders(nonce), Buffer.from(parts.join(nonce)));
      } else sendFile(reply, file);
      return true;
    },
  };
}

/** Browsers name the type when they open an address; what takes anything, as programs do, asks for no page. */
const wantsPage = (accept: string | undefined): boolean => accept?.includes("text/html") === true;

function sendFile(reply: FastifyReply, { contentType, body, encoded, etag, isImmutable }: PageFile): void {
  const { headers } = reply.request;
  const common = {
    ...fileHeaders,
    "content-type": contentType,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    // Of whatever form: a cache keeps each form apart by the header that `vary` names.
    etag,
    vary: "accept-encoding",
    // A picture that is opened by itself loads and runs nothing.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  if (hasAlready(headers["if-none-match"], etag)) {
    void reply.code(304).headers(common).send();
    return;
  }
  for (const [name, form] of encoded) {
    if (!accepts(headers["accept-encoding"], name)) continue;
    send(reply, { ...common, "content-encoding": name }, form);
    return;
  }
  send(reply, common, body());
}

/** `*` stands for whatever there is. */
const hasAlready = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, ""))) === true;

const accepts = (header: string | string[] | undefined, encoding: string): boolean =>
  String(header ?? "")
    .split(",")
    .some((part) => {
      const [name = "", ...parameters] = part.toLowerCase().split(";");
      return name.trim() === encoding && !parameters.some((each) => /^\s*q=0(?:\.0*)?\s*$/.test(each));
    });

/** The framework leaves out the body for HEAD, and says how long it would be. */
function send(reply: FastifyReply, headers: Record<string, string>, body: Buffer): void {
  void reply
    .headers({ ...headers, "content-length": String(body.length), "x-request-id": reply.request.id })
    .send(body);
}
