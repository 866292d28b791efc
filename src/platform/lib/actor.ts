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
}

export const systemActor: Actor = {
  ref: "service:default/plinth",
  roles: ["admin", "service"],
  provider: "system",
};
