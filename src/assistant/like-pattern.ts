/** Pure: a text that users search for as a pattern of `ilike`; null for none. */
export const likePattern = (search: string | undefined): string | null =>
  search === undefined || search === "" ? null : `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
