import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Failure } from "../errors/failure.ts";
import type { Actor } from "../lib/actor.ts";
import type { Logger } from "../lib/logger.ts";
import type { CallerNetwork } from "./admission/caller-network.ts";
import type { RateLimit } from "./admission/rate-limit.ts";
import type { RefusedCredentials } from "./admission/refused-credentials.ts";
import type { Area } from "./operation.ts";

/** Who may do what, as the server sees it; platform/auth has the implementation. */
export interface AccessControl {
  /**
   * The actor that these headers authenticate. Throws a Failure of kind `unauthenticated` when there is none, and `forbidden` where a
   * browser sends the request for a page of another site. Without a method it is asked whether a request from before is still good.
   */
  authenticate(
    headers: IncomingHttpHeaders,
    remote: { loopback: boolean },
    method: string | null,
  ): Actor | Promise<Actor>;
  /** Throws a Failure of kind `forbidden` when the actor may not do what the rule names. */
  authorize(actor: Actor, rule: string): void;
  /** Whether the policy table has this rule; an operation with another cannot be registered. */
  hasRule(rule: string): boolean;
  /** Public operations are answered without looking at credentials. */
  isPublic(rule: string): boolean;
  /** The `WWW-Authenticate` header that belongs to a failure. */
  challengeOf?(failure: Failure): string | undefined;
}

/** What every part of one server shares. */
export interface Kit {
  log: Logger;
  now: () => Date;
  access: AccessControl;
  rateLimit: RateLimit;
  /** Under which name requests of an address are counted. */
  callerNetwork: CallerNetwork;
  credentials: RefusedCredentials;
  isDraining: () => boolean;
  /** Where a request came from. */
  clientAddressOf: (request: FastifyRequest) => string | undefined;
  /** Address of the server for `servers` of its documents. */
  serverUrl: string;
  bodyLimitBytes: number;
  /** How long a request waits for the database until its answer begins. */
  databaseWaitMs: { read: number; write: number };
  /** Turns an error into a Failure where the caller can do something about it. */
  translate: ((error: unknown) => Failure | undefined) | undefined;
  /** The area whose prefix or alias a URL is below. */
  areaOf: (url: string) => Area | undefined;
}

/** Finds the area of a URL; `/api/builder` and what is below it belongs to the builder, `/api/builders` does not. */
export const areaFinder = (areas: readonly Area[]): Kit["areaOf"] => {
  const bases = areas.flatMap((area) =>
    [area.prefix, ...(area.aliases ?? [])].map((base) => ({ base, area })),
  );
  return (url) =>
    bases.find(({ base }) => url.startsWith(base) && ["", "/", "?"].includes(url.charAt(base.length)))?.area;
};
