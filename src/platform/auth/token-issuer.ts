import type { Actor } from "../lib/actor.ts";
import type { JwtRules, VerifiedJwt } from "./jwt.ts";

/** An issuer whose JWTs are accepted: how they are checked, and which actor they stand for. */
export interface TokenIssuer extends Omit<JwtRules, "now"> {
  toActor(verified: VerifiedJwt): Actor;
}
