import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGitUrl, readTargetUrl } from "./target-url.ts";

const verdict = (text: string): string => {
  const { url, message } = readTargetUrl(text);
  return url?.href ?? message ?? "";
};

describe("a URL is read into one form", () => {
  it.each([
    ["http://host", "http://host/"],
    ["HTTP://HOST:80/a/./b/../c", "http://host/a/c"],
    ["https://a_b.example:8443/x%20y?q=1#f", "https://a_b.example:8443/x%20y?q=1#f"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1/"],
    ["http://[::1]:3000/", "http://[::1]:3000/"],
    ["http://xn--mnchen-3ya.example/", "http://xn--mnchen-3ya.example/"],
    ["http://127.0.0.1:0/x", "http://127.0.0.1:0/x"],
    ["http://host/ü", "http://host/%C3%BC"],
    ["http://host/@at?x=@", "http://host/@at?x=@"],
  ])("%s", (text, href) => {
    expect(verdict(text)).toBe(href);
  });
});

describe("what two programs could read differently is refused", () => {
  it.each([
    ["http://allowed\\@other/x.git", "backslash"],
    ["http://allowed/x\\y", "backslash"],
    ["http:\\\\host/", "backslash"],
    ["http://allowed@other/", "user name or password"],
    ["http://@host/", "user name or password"],
    ["http://a@b@c/", "user name or password"],
    ["http://u:p@host/", "user name or password"],
    ["http://allowed#@other/", "http://allowed/#@other/"],
    [" http://host/", "white space"],
    ["http://ho\tst/", "white space"],
    ["http://host/\n", "white space"],
    ["http://ho\u00adst/", "white space"],
    ["http://host/\u200b", "white space"],
    ["http://%68ost/", "ASCII letters"],
    ["http://hôst/", "ASCII letters"],
    ["http://①⑥⑨.254.169.254/", "ASCII letters"],
    ["http://host:/", "ASCII letters"],
    ["http://host:080/", "ASCII letters"],
    ["http://host:65536/", "not an absolute URL"],
    ["http://[fe80::1%25eth0]/", "ASCII letters"],
    ["http://host./", "end with a dot"],
    ["http://169.254.169.254./", "end with a dot"],
    ["http://2852039166/", "spelling of 169.254.169.254"],
    ["http://0xa9fea9fe/", "spelling of 169.254.169.254"],
    ["http://0251.0376.0251.0376/", "spelling of 169.254.169.254"],
    ["http://127.1/", "spelling of 127.0.0.1"],
    ["http://0/", "spelling of 0.0.0.0"],
    ["http://[0:0::1]/", "spelling of [::1]"],
    ["http://[::ffff:127.0.0.1]/", "spelling of [::ffff:7f00:1]"],
    ["http:host/", "form scheme://host/path"],
    ["http:/host/", "form scheme://host/path"],
    ["http:///host/", "form scheme://host/path"],
    ["//host/", "not an absolute URL"],
    ["host/path", "not an absolute URL"],
    ["git@host:path", "not an absolute URL"],
    ["-uhelper", "not an absolute URL"],
    ["ext::sh -c x", "white space"],
    ["ext::sh", "scheme must be one of"],
    ["ssh://host/", "scheme must be one of"],
    ["file:///etc/passwd", "scheme must be one of"],
    [`http://host/${"a".repeat(9_000)}`, "longer than"],
  ])("%j", (text, expected) => {
    expect(verdict(text)).toContain(expected);
  });

  it("and of repositories what follows a path", () => {
    expect(readGitUrl("http://host/x.git").url?.href).toBe("http://host/x.git");
    for (const text of ["http://host/x.git?a", "http://host/x.git#main", "http://host?"])
      expect(readGitUrl(text).message).toContain("neither a query nor a fragment");
  });
});

it("reads its own form as itself, and repeats no password", () => {
  const parts = fc.constantFrom(
    "http://",
    "https:",
    "//",
    "a",
    ".",
    "@",
    ":",
    "80",
    "\\",
    "/",
    "%2e",
    "?",
    "#",
    "[::1]",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 10 }), (list) => {
      const { url } = readTargetUrl(`http://${list.join("")}`);
      if (url !== null) expect(readTargetUrl(url.href).url?.href).toBe(url.href);
    }),
    { numRuns: 2_000 },
  );
  expect(verdict("http://u:hunter2@host/")).not.toContain("hunter2");
});
