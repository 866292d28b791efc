/** Pure: the sentences of a built descriptor about what was left out or guessed, which come in a header. */

export const warningsOf = (headers: Headers): string[] =>
  (headers.get("x-plinth-warning") ?? "").split(" | ").filter((each) => each !== "");
