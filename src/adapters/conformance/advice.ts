/** Pure. What the author of an adapter can do, by the operation that deviates. */
import type { Exchange } from "./exchange.ts";

type Kind = "validation" | "deployment" | "access" | "reverse" | "status" | "termination";

function kindOf({ method, path }: Exchange): Kind {
  if (method === "DELETE") return "termination";
  if (method === "GET") return "status";
  if (path.endsWith("/validate")) return "validation";
  if (path.endsWith("/updateacl")) return "access";
  return path.endsWith("/reverse-provisioning") ? "reverse" : "deployment";
}

const ownDescriptor = "If the descriptor is not one for this adapter, give one with --descriptor.";
const read = "Read what the adapter says below.";

const afterRefusal: Record<Kind, string> = {
  validation: `${read} ${ownDescriptor}`,
  deployment: `${read} ${ownDescriptor}`,
  access: `${read} If it does not know the references, give some that it knows with --ref.`,
  reverse: `${read} If it needs parameters, give them with --reverse-params.`,
  status: `${read} A token that was given stays known.`,
  termination: `${read} What cannot be stopped is answered 501.`,
};

/** Advice when a correct request was refused. */
export const adviceOnRefusal = (exchange: Exchange): string => afterRefusal[kindOf(exchange)];

const afterFailure: Record<Kind, string> = {
  validation: `Say in the verdict what is wrong. ${ownDescriptor}`,
  deployment: `${ownDescriptor} Where the component is there already, find it and bring it to what is wanted.`,
  access: "If it does not know the references, give some that it knows with --ref.",
  reverse: "If it needs parameters, give them with --reverse-params.",
  status: "End the work in every case, also when what is behind it fails.",
  termination: "Answer the end that was reached.",
};

/** Advice when a correct operation did not complete. */
export const adviceOnFailure = (exchange: Exchange): string =>
  exchange.path.endsWith("/unprovision")
    ? "A component that does not exist any more is not a failure: answer COMPLETED."
    : afterFailure[kindOf(exchange)];

const token = "Answer work that takes long with 202 and a token.";

const afterTimeout: Record<Kind, string> = {
  validation:
    "Check what can be checked within the time, or offer POST /v2/validate and answer its token at once.",
  deployment: token,
  access: token,
  reverse: token,
  status: "Answer the state as it is at the moment, without waiting for the work.",
  termination: "Answer 202 while the work is stopping.",
};

/** Advice when there was no complete response. */
export const adviceOnFault = (exchange: Exchange): string =>
  exchange.timedOut
    ? afterTimeout[kindOf(exchange)]
    : "Answer errors with a status and words instead of closing the connection.";
