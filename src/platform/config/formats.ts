import { readTargetUrl } from "../lib/target-url.ts";

/** The formats that the settings' schema uses and JSON Schema does not define. */
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
