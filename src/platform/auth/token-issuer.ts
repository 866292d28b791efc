import type { Actor } from "../lib/actor.ts";
import type { JwtRules, VerifiedJwt } from "./jwt.ts";

/** Somebody whose JWTs are accepted: how they are checked, and who their bearer is. */
export interface TokenIssuer extends Omit<JwtRules, "now"> {
  toActor(verified: VerifiedJwt): Actor;
}
