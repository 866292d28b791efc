/** Authorisation: only callers with the shared secret. Uses validations, which change nothing. */
import { SignJWT, UnsecuredJWT } from "jose";

import type { Check } from "../check.ts";
import { skip } from "../check.ts";
import { readRefusal } from "../refusals.ts";

const signed = (secret: string, expires: string): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject("plinth-coordinator")
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));

/** What the coordinator sends as bearer: a short-lived HS256 token with the secret as its key. */
export const validToken = (secret: string): Promise<string> => signed(secret, "10m");

type MakeHeader = (secret: string) => Promise<string | null> | string | null;

const cases: [name: string, title: string, make: MakeHeader][] = [
  ["missing", "refuses a call without credentials", () => null],
  [
    "wrong-secret",
    "refuses a token signed with another secret",
    async () => `Bearer ${await signed("not the secret", "10m")}`,
  ],
  ["expired", "refuses a token that has expired", async (secret) => `Bearer ${await signed(secret, "-10m")}`],
  [
    "unsigned",
    "refuses a token without a signature",
    () => `Bearer ${new UnsecuredJWT({}).setExpirationTime("10m").encode()}`,
  ],
  ["nonsense", "refuses a header that is not a token", () => "Bearer x"],
];

export const authorizationChecks = (secret: string | undefined): Check[] =>
  cases.map(([name, title, make]) => ({
    id: `authorization.${name}`,
    group: "authorization",
    title,
    changes: false,
    async run(session) {
      if (secret === undefined) return skip("no --secret was given");
      const body = JSON.stringify({
        descriptorKind: "COMPONENT_DESCRIPTOR",
        descriptor: session.descriptorText(),
        removeData: false,
      });
      const authorization = await make(secret);
      const exchange = await session.call({ method: "POST", path: "/v1/validate", body, authorization });
      return {
        deviations: readRefusal(exchange, {
          statuses: [401, 403],
          protocol: "Calls without a valid bearer token are answered 401.",
          fix: "Check the signature (HS256, the shared secret as key) and `exp` of every call before reading it.",
        }),
      };
    },
  }));
