import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Kit } from "../kit.ts";
import { exchangeOf } from "./exchange.ts";

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The other end of a connection. */
interface Peer {
  address: string | undefined;
  loopback: boolean;
}

const loopback = /^(?:::ffff:)?127\.|^::1$/;

const peerKey = Symbol("peer");

declare module "node:net" {
  interface Socket {
    /** Cached, because each request needs it and a connection never changes its peer. */
    [peerKey]?: Peer;
  }
}

const peerOf = ({ socket }: IncomingMessage): Peer => (socket[peerKey] ??= readPeer(socket));

const readPeer = ({ remoteAddress }: Socket): Peer => ({
  address: plainAddress(remoteAddress),
  loopback: loopback.test(remoteAddress ?? ""),
});

/** An IPv4 address as such, also where the socket takes both kinds; nothing for what is no address. */
export const plainAddress = (address: string | undefined): string | undefined =>
  address !== undefined && isIP(address) !== 0 ? address.replace(mapped, "") : undefined;

/**
 * The address of the client: what the proxy says where `server.trustProxy` is set and it says an address, else the other end of the
 * connection.
 */
export const clientAddressReader = (
  trustProxy: boolean,
): ((request: FastifyRequest) => string | undefined) =>
  trustProxy ? ({ ip, raw }) => plainAddress(ip) ?? peerOf(raw).address : ({ raw }) => peerOf(raw).address;

/** Notes which request it is, for its line and all others in the log. */
export const identify = (reply: FastifyReply, kit: Pick<Kit, "clientAddressOf">): void => {
  const { request } = reply;
  const exchange = exchangeOf(reply.raw);
  exchange.requestId = request.id;
  exchange.clientAddress = kit.clientAddressOf(request);
};

/** The peer of the connection itself, whatever a proxy's headers say. */
export const remoteOf = ({ raw }: FastifyRequest): { readonly loopback: boolean } => peerOf(raw);
