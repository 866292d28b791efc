/**
 * An entity reference for the subject of a token. A subject that already is one of the same kind stays; any
 * other becomes a name in the default namespace, with what a name cannot hold percent-encoded, so that different
 * subjects stay different and a service can never be taken for a user.
 */
export function entityRef(kind: "user" | "service", subject: string): string {
  if (new RegExp(`^${kind}:[a-z0-9][a-z0-9-]{0,62}/[A-Za-z0-9._-]{1,63}$`).test(subject)) return subject;
  return `${kind}:default/${percentEncoded(subject)}`;
}

/** Lone surrogates cannot be encoded; they become the replacement character. */
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());
