/** Results are marked as data for the model; people see what is inside the marks. */
export const withoutMarks = (text: string): string => {
  const nonce = /<data-(\w+) source="/.exec(text)?.[1];
  if (nonce === undefined) return text;
  return text.replaceAll(new RegExp(`<data-${nonce} source="[^"]*">\\n?|\\n?</data-${nonce}>`, "g"), "");
};

/** The source of a result says whether it is an error. */
export const isErrorMark = (text: string): boolean => /<data-\w+ source="tool [^"]* error">/.test(text);
