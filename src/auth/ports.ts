/** The groups that a person is in, as entity references. */
export type ReadGroups = (ref: string) => Promise<string[]>;
