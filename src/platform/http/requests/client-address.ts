import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Kit } from "../kit.ts";
import { exchangeOf } from "./exchange.ts";

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** An IPv4 address as such, also where the socket takes both kinds; nothing for what is no address. */
export const plainAddress = (address: string | undefined): string | undefined =>
  address !== undefined && isIP(address) !== 0 ? address.replace(mapped, "") : undefined;

/**
 * The address of the client: what the proxy says where `server.trustProxy` is set and it says an address, else the other end of the
 * connection.
 */
export const clientAddressOf = ({ ip, raw }: FastifyRequest): string | undefined =>
  plainAddress(ip) ?? plainAddress(raw.socket.remoteAddress);

/** Notes which request it is, for its line and all others in the log. */
export const identify = (reply: FastifyReply, kit: Pick<Kit, "clientAddressOf">): void => {
  const { request } = reply;
  const exchange = exchangeOf(reply.raw);
  exchange.requestId = request.id;
  exchange.clientAddress = kit.clientAddressOf(request);
};

const here = Object.freeze({ loopback: true });
const elsewhere = Object.freeze({ loopback: false });
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** The peer of the connection itself, whatever a proxy's headers say. */
export const remoteOf = ({ raw }: FastifyRequest): { loopback: boolean } =>
  loopback.test(raw.socket.remoteAddress ?? "") ? here : elsewhere;
