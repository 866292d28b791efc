import { Type } from "typebox";
import { count, section } from "./schema-parts.ts";

export const accessTokens = section(
  {
    enabled: Type.Boolean({
      default: true,
      description:
        "Whether tokens can be made. Those that there are stay good until they expire or are revoked.",
    }),
    maxDays: count(365, "Longest time until a token expires.", { maximum: 3_650 }),
    defaultDays: count(30, "Time until a token expires when its maker names none.", { maximum: 3_650 }),
    perOwner: count(50, "Tokens that one owner may have at once, those that have ended apart.", {
      maximum: 10_000,
    }),
    ownerDays: count(
      90,
      "How long a person may not have signed in: after that time their tokens are refused until they sign in again.",
      { maximum: 3_650 },
    ),
    maxJwtSeconds: count(86_400, "Longest life of a JWT that is got for a token or a session.", {
      minimum: 60,
      maximum: 604_800,
    }),
  },
  "Tokens that people and operators make for programs.",
);
