/** `group:default/fleet` is read as `fleet`; anything else as it is. */
export const shortReference = (reference: string): string =>
  /^\w+:(?:default\/)?([^/]+)$/.exec(reference)?.[1] ?? reference;

/** A component by the last part of its id, which is unique in its unit: `urn:dmb:cmp:fleet:positions:0:raw` is `raw`. */
export const shortId = (id: string): string => id.split(":").at(-1) ?? id;

const kinds: Record<string, string> = {
  dataproduct: "data product",
  outputport: "output port",
};

/** The kind of a unit or a component, as one writes it. */
export const kindText = (kind: string): string => kinds[kind.toLowerCase()] ?? kind;

/** `urn:dmb:dp:mobility:fleet-positions:0` is `fleet-positions`. */
export const unitNameOf = (id: string): string => id.split(":").at(-2) ?? id;
