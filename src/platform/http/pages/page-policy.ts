/** What a browser may do with a page of the console: nothing is loaded from elsewhere, no script stands in a page, nobody frames it. */
import { Html } from "../document/html.ts";

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Of all files, pages or not. */
export const fileHeaders: Readonly<Record<string, string>> = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const unused = [
  "accelerometer",
  "camera",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "payment",
  "usb",
];

/** Of a page, which no cache stores: the nonce is of this answer alone. */
export const pageHeaders = (nonce: string): Record<string, string> => ({
  ...fileHeaders,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": policyOf(nonce),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": unused.map((feature) => `${feature}=()`).join(", "),
  "x-frame-options": "DENY",
});

/** A style in a page, with the placeholder of the nonce. */
export const pageStyle = (css: string): Html => new Html(`<style nonce="${noncePlaceholder}">${css}</style>`);

export const noncePlaceholder = "__CSP_NONCE__";
export const basePathPlaceholder = "__BASE_PATH__";
