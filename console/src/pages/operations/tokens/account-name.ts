/** Pure: whether a service account can be made under a name. The server decides. */

/** null: it can, or nothing was written yet. `known` are the accounts that there are, as far as they were read. */
export const nameFault = (name: string, known: readonly { name: string }[]): string | null => {
  const wanted = name.trim();
  if (wanted === "") return null;
  if (known.some((account) => account.name === wanted))
    return `There is a service account ${wanted} already. Change that one, or choose another name.`;
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(wanted)
    ? null
    : "Up to 63 letters, digits, dots, hyphens and underscores; it begins with a letter or a digit.";
};
