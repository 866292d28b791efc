/** Short names of ids; the whole id is in the title beside them. Pure. */

/** `urn:dmb:dp:mobility:parcel-tracking:0` is read as `parcel-tracking`. */
export const unitNameOf = (id: string): string => /^urn:dmb:dp:[^:]+:([^:]+):\d+$/.exec(id)?.[1] ?? id;

/** `urn:dmb:cmp:mobility:parcel-tracking:0:raw` is read as `raw`; the unit's own id as its name. */
export const componentNameOf = (id: string): string =>
  /^urn:dmb:cmp:.+:([^:]+)$/.exec(id)?.[1] ?? unitNameOf(id);

/** `user:default/ada` is read as `ada`, and of others the kind stays. */
export const personOf = (reference: string): string =>
  /^user:default\/(.+)$/.exec(reference)?.[1] ?? reference.replace(":default/", " ");

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
