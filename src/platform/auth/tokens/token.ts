/** A token that the platform has made, and whose it is. */
import type { Role } from "../../lib/actor.ts";

export type OwnerSource = "guest" | "settings" | "signed" | "account";
export type TokenKind = "personal" | "service" | "session";

/** Who has the token, as last seen. */
export interface KnownOwner {
  ref: string;
  source: OwnerSource;
  provider: string;
  roles: Role[];
  domains: string[] | null;
  knownAt: Date;
}

export interface StoredToken {
  id: string;
  kind: TokenKind;
  roles: Role[];
  scopes: string[];
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Null where the owner is not known any more. */
  owner: KnownOwner | null;
}
