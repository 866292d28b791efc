import { readTargetUrl } from "../lib/target-url.ts";

/** What the schema of the settings means by the formats that are ours. */
export const formats = {
  "http-url": (text: string) => readTargetUrl(text).url !== null,
  "regular-expression": isRegularExpression,
};

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
