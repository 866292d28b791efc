/** Who acts. Built by platform/auth once per request; jobs act as `systemActor`. */
export type Role = "viewer" | "developer" | "operator" | "admin" | "service";

export interface Actor {
  /** Entity reference, e.g. `user:default/ada` or `service:default/scheduler`. */
  ref: string;
  roles: readonly Role[];
  /** Which provider vouched for it: guest, service, oidc, system. */
  provider: string;
  /** Whose operational rows it reads in the data layer, as its token says; none where it says nothing. */
  domains?: readonly string[] | undefined;
  /** What its token may be used for (platform/auth/scopes.ts); absent where nothing but its roles limits it. */
  scopes?: readonly string[] | undefined;
  /** Of the stored token that it came with, directly or by a JWT that stands for it. */
  tokenId?: string | undefined;
}

export const systemActor: Actor = {
  ref: "service:default/plinth",
  roles: ["admin", "service"],
  provider: "system",
};

/** What a token of ours says to other programs about the actor's rights. */
export const rightsOf = ({ roles, scopes }: Actor): { roles: Role[]; scope?: string } => ({
  roles: [...roles],
  ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
});
