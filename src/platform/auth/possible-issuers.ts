import { decodeJwt, decodeProtectedHeader } from "jose";
import { authFailure } from "./errors.ts";
import { hmacAlgorithms, publicKeyAlgorithms, type TokenIssuer } from "./jwt.ts";

/**
 * The token's own claims only select the issuers; nothing is trusted before the signature is checked. Never
 * empty: a token for nobody is refused here.
 */
export function possibleIssuers(token: string, issuers: readonly TokenIssuer[]): readonly TokenIssuer[] {
  const invalid = (message: string) => authFailure("PLATFORM_TOKEN_INVALID", message);
  let algorithm: unknown;
  let issuer: unknown;
  try {
    algorithm = decodeProtectedHeader(token).alg;
    issuer = decodeJwt(token).iss;
  } catch {
    throw invalid("The token is not known.");
  }
  if (typeof algorithm !== "string" || ![...hmacAlgorithms, ...publicKeyAlgorithms].includes(algorithm)) {
    throw invalid("The token is signed with an algorithm that is not accepted.");
  }
  const withAlgorithm = issuers.filter(({ algorithms }) => algorithms.includes(algorithm));
  if (withAlgorithm.length === 0)
    throw invalid("The token is signed with an algorithm that is not accepted.");
  const named = withAlgorithm.filter((candidate) => candidate.issuer === issuer);
  const open = withAlgorithm.filter((candidate) => candidate.issuer === undefined);
  const possible = named.length > 0 ? named : open;
  if (possible.length === 0) throw invalid("The token comes from an issuer that is not accepted.");
  return possible;
}
