import { errors, jwtVerify, type CryptoKey, type JWTPayload, type JWTVerifyOptions } from "jose";
import { Failure } from "../errors/failure.ts";
import type { Actor } from "../lib/actor.ts";
import { authFailure } from "./errors.ts";
import type { KeyFinder } from "./key-set.ts";

/** Two lists without an algorithm in common: a public key is never taken for a shared secret or the reverse. */
export const hmacAlgorithms = ["HS256", "HS384", "HS512"];
export const publicKeyAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const clockSkewSeconds = 5;
const maxSubjectLength = 255;
const maxKeysTried = 10;

export interface JwtRules {
  key: KeyFinder | Uint8Array;
  algorithms: string[];
  issuer?: string | undefined;
  /** One of them has to be in the token. */
  audience?: string | string[] | undefined;
  now: () => Date;
}

export interface VerifiedJwt {
  subject: string;
  expiresAtMs: number;
  /** As the issuer says; null where it does not. */
  issuedAtMs: number | null;
  claims: JWTPayload;
}

/** An issuer whose JWTs are accepted: how they are checked, and which actor they stand for. */
export interface TokenIssuer extends Omit<JwtRules, "now"> {
  /** Finds the keys of tokens that the issuer itself has just handed to this server. */
  issuedKey?: KeyFinder;
  toActor(verified: VerifiedJwt): Actor;
}

/** Checks signature, issuer, audience and times. Throws a Failure that says what is wrong and nothing about us. */
export async function verifyJwt(token: string, { key, now, ...rules }: JwtRules): Promise<VerifiedJwt> {
  const options: JWTVerifyOptions = {
    algorithms: rules.algorithms,
    clockTolerance: clockSkewSeconds,
    currentDate: now(),
    requiredClaims: ["exp", "sub"],
    ...(rules.issuer !== undefined && { issuer: rules.issuer }),
    ...(rules.audience !== undefined && { audience: rules.audience }),
  };
  try {
    const claims = await verifyWith(token, key, options);
    const { sub, exp, iat } = claims;
    if (typeof sub !== "string" || sub === "" || sub.length > maxSubjectLength || typeof exp !== "number") {
      throw authFailure("PLATFORM_TOKEN_INVALID", "The token has no usable subject.");
    }
    refuseUnlessDate("exp", exp);
    if (iat !== undefined) refuseUnlessDate("iat", iat);
    return {
      subject: sub,
      expiresAtMs: exp * 1000,
      issuedAtMs: iat === undefined ? null : iat * 1000,
      claims,
    };
  } catch (error) {
    throw explainJwtError(error);
  }
}

/** The last second that a Date can hold; the database knows more. */
const lastSecond = 8_640_000_000_000;

function refuseUnlessDate(claim: "exp" | "iat", seconds: number): void {
  if (!(seconds >= 0 && seconds <= lastSecond))
    throw authFailure("PLATFORM_TOKEN_INVALID", unacceptableClaim(claim));
}

async function verifyWith(
  token: string,
  key: KeyFinder | Uint8Array,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  if (key instanceof Uint8Array) return (await jwtVerify(token, key, options)).payload;
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return await tryKeys(token, error, options);
  }
}

/** A token without a key id may be signed by any of the issuer's keys of that kind. */
async function tryKeys(
  token: string,
  candidates: AsyncIterable<CryptoKey>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tried = 0;
  for await (const candidate of candidates) {
    if (++tried > maxKeysTried) break;
    try {
      return (await jwtVerify(token, candidate, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function explainJwtError(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof errors.JWTExpired) {
    return authFailure("PLATFORM_TOKEN_EXPIRED", "The token has expired.");
  }
  const invalid = (message: string) => authFailure("PLATFORM_TOKEN_INVALID", message, { cause: error });
  if (error instanceof errors.JWTClaimValidationFailed) return invalid(claimMessage(error));
  if (error instanceof errors.JWKSNoMatchingKey) {
    return invalid("The token is signed with a key that its issuer does not publish.");
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return invalid("The signature of the token is not right.");
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalid("The token is signed with an algorithm that is not accepted.");
  }
  return invalid("The token is not a valid JWT.");
}

function claimMessage({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === "missing") return `The token lacks the claim ${knownClaim(claim)}.`;
  switch (claim) {
    case "aud":
      return "The token is meant for another audience.";
    case "iss":
      return "The token comes from an issuer that is not accepted.";
    case "nbf":
      return "The token is not valid yet.";
    default:
      return unacceptableClaim(knownClaim(claim));
  }
}

const unacceptableClaim = (claim: string): string => `The claim ${claim} of the token is not acceptable.`;

const knownClaim = (claim: string): string =>
  ["exp", "sub", "aud", "iss", "nbf", "iat"].includes(claim) ? claim : "that is required";
