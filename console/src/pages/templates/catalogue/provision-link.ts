/** The search of /provision that names a system of the catalogue. */
export const provisionOf = (system: string) => ({ from: "catalogue", system }) as const;
