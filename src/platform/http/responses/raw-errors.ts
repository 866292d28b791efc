import { randomUUID } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bodyOf } from "./answer-failure.ts";
import { inputFailure, requestTooSlow } from "../errors.ts";
import { plainAddress } from "../requests/client-address.ts";
import { arrivingOn, exchangeOf, loggedPath, openResponseOn } from "../requests/exchange.ts";
import type { Kit } from "../kit.ts";
import { inputProblem } from "../input/problems.ts";
import { answerHeaders } from "./send-json.ts";

const brokenKey = Symbol("broken");

declare module "node:stream" {
  interface Duplex {
    /** Something on the connection was not well-formed: the parser refuses all that comes later as well. */
    [brokenKey]?: true;
  }
}

/**
 * Answers what the HTTP parser refused, for which there may be no request object, once the requests before it have their answers: with the
 * body of the area that the request line names when it can be read, else with the platform's. Closes the connection, because the
 * start of the next request is unknown.
 */
export const answerBrokenRequest = (error: Error, socket: Duplex, kit: Kit): void => {
  const code = String(Reflect.get(error, "code"));
  const isKnown = socket[brokenKey] === true;
  // A client that has ended its side of a broken connection is gone.
  if (code === "ECONNRESET" || (isKnown ? socket.readableEnded : !socket.writable)) {
    socket.destroy();
    return;
  }
  if (isKnown) return;
  socket[brokenKey] = true;
  const earlier = openResponseOn(socket);
  const { method = "GET", url = "/" } =
    arrivingOn(socket)?.req ?? (earlier === undefined ? requestLineOf(error) : {});
  if (earlier === undefined) answerBroken(socket, { code, method, url }, kit);
  else
    earlier.once("close", () => {
      // Else it has said that it is the last one of the connection.
      if (socket.writable) answerBroken(socket, { code, method, url }, kit);
    });
};

const answerBroken = (
  socket: Duplex,
  { code, method, url }: { code: string; method: string; url: string },
  kit: Kit,
): void => {
  if (arrivingOn(socket)?.headersSent === true) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const failure = inputFailure([problemOf(code)]);
  const { status: inputStatus, body } = bodyOf(failure, { id, method, url }, { kit, area: kit.areaOf(url) });
  const status = statuses[code] ?? inputStatus;
  const clientAddress = plainAddress(remoteAddressOf(socket));
  kit.log.warn(
    { requestId: id, clientAddress, method, path: loggedPath(url), status, reason: code },
    "broken request",
  );
  const text = JSON.stringify(body);
  const head = Object.entries(lastHeaders(text, id)).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`;
  socket.end(`${[statusLine, ...head].join("\r\n")}\r\n\r\n${text}`);
  // Our side closes with the response; a client that keeps its side open must not keep the connection.
  setTimeout(() => socket.destroy(), lingerMs).unref();
};

/** Undefined for connections in memory. */
const remoteAddressOf = (socket: Duplex): string | undefined =>
  socket instanceof Socket ? socket.remoteAddress : undefined;

/** How long a client has to take the answer in. */
const lingerMs = 1_000;

/** Answers a request whose body has stopped arriving; a handler that is reading the body gets an error. */
export const answerSlowRequest = (request: IncomingMessage, response: ServerResponse, kit: Kit): void => {
  if (response.headersSent) {
    request.socket.destroy();
    return;
  }
  const { method = "GET", url = "/" } = request;
  const exchange = exchangeOf(response);
  exchange.requestId ||= randomUUID();
  exchange.clientAddress ??= plainAddress(request.socket.remoteAddress);
  const id = exchange.requestId;
  const failure = requestTooSlow();
  const { status, body } = bodyOf(failure, { id, method, url }, { kit, area: kit.areaOf(url) });
  const text = JSON.stringify(body);
  response.writeHead(status, lastHeaders(text, id));
  response.end(text, () => setTimeout(() => request.socket.destroy(), lingerMs).unref());
};

/** The headers of an answer after which the connection ends. */
const lastHeaders = (text: string, id: string): Record<string, string> => ({
  ...answerHeaders,
  "content-length": String(Buffer.byteLength(text)),
  "x-request-id": id,
  connection: "close",
});

const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "took too long to arrive",
  HPE_HEADER_OVERFLOW: "has more headers than 16 KiB",
  HPE_INVALID_CONTENT_LENGTH: "has an invalid content-length",
  HPE_UNEXPECTED_CONTENT_LENGTH: "has content-length twice, or beside transfer-encoding",
  HPE_INVALID_TRANSFER_ENCODING: "has an invalid transfer-encoding",
  HPE_INVALID_CHUNK_SIZE: "has an invalid chunk size",
  HPE_INVALID_METHOD: "has an unknown method",
  HPE_INVALID_URL: "has an invalid URL",
};

const problemOf = (code: string) =>
  inputProblem("header", [], {
    keyword: "malformed",
    message: messages[code] ?? "is not well-formed HTTP/1.1",
  });

const maxLineBytes = 16 * 1024;

/** Of what arrived with the broken packet: a request line in an earlier one is lost. */
const requestLineOf = (error: Error): { method: string; url: string } => {
  const packet: unknown = Reflect.get(error, "rawPacket");
  const start = Buffer.isBuffer(packet) ? packet.toString("latin1", 0, maxLineBytes) : "";
  const [, method = "GET", url = "/"] = /^([A-Z]+) (\/[!-~]*) HTTP\/1/.exec(start) ?? [];
  return { method, url };
};
