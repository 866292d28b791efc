/** What of the policy for pages is missing or too wide. */
export function policyFaults(headers: Headers): string[] {
  const policy = headers.get("content-security-policy") ?? "";
  const directives = new Map(policy.split("; ").map((each) => [each.split(" ", 1)[0] ?? "", each]));
  const faults: string[] = [];
  const expect = (name: string, wanted: RegExp): void => {
    const found = directives.get(name) ?? "";
    if (!wanted.test(found)) faults.push(`the policy says "${found}" of ${name}`);
  };
  expect("default-src", /^default-src 'none'$/);
  expect("script-src", /^script-src 'self'$/);
  expect("style-src", /^style-src 'self' 'nonce-[\w+/=-]{16,}'$/);
  expect("frame-ancestors", /^frame-ancestors 'none'$/);
  expect("base-uri", /^base-uri 'none'$/);
  expect("form-action", /^form-action '(?:self|none)'$/);
  if (/unsafe|\*|https?:/.test(policy)) faults.push(`the policy is wide: ${policy}`);
  if (headers.get("x-frame-options") !== "DENY") faults.push("x-frame-options is not DENY");
  if (headers.get("x-content-type-options") !== "nosniff")
    faults.push("x-content-type-options is not nosniff");
  return faults;
}
