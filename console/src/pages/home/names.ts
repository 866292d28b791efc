/** `urn:dmb:dp:mobility:fleet-positions:0` is `fleet-positions`. */
export const nameOf = (unitId: string): string => unitId.split(":").at(-2) ?? unitId;

/** `group:default/fleet` is `fleet`. */
export const shortOf = (reference: string): string => /^\w+:default\/(.+)$/.exec(reference)?.[1] ?? reference;
