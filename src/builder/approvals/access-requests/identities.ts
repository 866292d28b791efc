/**
 * Pure: whom an access request is for. The form of an identity that is compared with the requester's own references is the
 * form that is stored, shown to those who decide, and sent to the adapter.
 */

export interface SettledIdentities {
  /** Those of the requester in lower case, all others as they were written. */
  identities: string[];
  /** Those that are neither the requester nor one of their groups. */
  others: string[];
}

/** `own` are the requester's references in full and in lower case. */
export function settleIdentities(
  given: readonly string[],
  { own, operation }: { own: readonly string[]; operation: "GRANT" | "REVOKE" },
): SettledIdentities {
  const isOwn = (identity: string): boolean => own.includes(inFull(identity));
  const identities = given.flatMap((identity) => {
    if (!isOwn(identity)) return [identity];
    // Adapters know people by the form that is asked for, with the namespace or without it.
    if (operation === "GRANT") return [lowered(identity)];
    const ref = inFull(identity);
    return [ref, ref.replace(":default/", ":")];
  });
  return { identities: [...new Set(identities)], others: given.filter((identity) => !isOwn(identity)) };
}

/**
 * Only the letters of ASCII: to lower all would make a k of the Kelvin sign, so that another text than the requester's name
 * would count as it.
 */
const lowered = (identity: string): string => identity.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The form of an identity that is compared: in lower case, with its namespace. */
export function inFull(identity: string): string {
  const text = lowered(identity);
  return text.includes("/") ? text : text.replace(":", ":default/");
}
