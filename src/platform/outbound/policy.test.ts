import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress } from "./addresses.ts";
import type { OutboundPolicy } from "./policy.ts";
import { compilePolicy, matchesGlob } from "./policy.ts";
import { redactUrl } from "./redact.ts";

const open: OutboundPolicy = {
  allowedSchemes: ["http", "https"],
  blockedHosts: [],
  allowPrivateNetworks: true,
  maxResponseBytes: 1_000_000,
  timeoutMs: 1_000,
};

const verdict = (url: string, policy: Partial<OutboundPolicy> = {}) =>
  compilePolicy({ ...open, ...policy }).checkUrl(url).problem?.message ?? "ok";

describe("addresses", () => {
  it.each([
    ["127.0.0.1", "private"],
    ["10.1.2.3", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.0.1", "private"],
    ["100.64.0.1", "private"],
    ["8.8.8.8", "public"],
    ["169.254.169.254", "forbidden"],
    ["169.254.0.1", "forbidden"],
    ["100.100.100.200", "forbidden"],
    ["168.63.129.16", "forbidden"],
    ["0.0.0.0", "forbidden"],
    ["224.0.0.1", "forbidden"],
    ["255.255.255.255", "forbidden"],
    ["::1", "private"],
    ["::", "forbidden"],
    ["fe80::1", "forbidden"],
    ["fe80::1%eth0", "forbidden"],
    ["febf::1", "forbidden"],
    ["fd00:ec2::254", "forbidden"],
    ["fd00:ec2::253", "private"],
    ["fc00::1", "private"],
    ["2001:4860:4860::8888", "public"],
    ["::ffff:8.8.8.8", "forbidden"],
    ["::ffff:169.254.169.254", "forbidden"],
    ["::8.8.8.8", "forbidden"],
    ["64:ff9b::169.254.169.254", "forbidden"],
    ["64:ff9b::8.8.8.8", "public"],
    ["64:ff9b::10.0.0.1", "private"],
    ["2002:a9fe:a9fe::1", "forbidden"],
    ["not an address", "forbidden"],
  ])("%s is %s", (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });
});

describe("the verdict on a URL", () => {
  it.each([
    ["http://adapter.plinth.svc.cluster.local:8080/x", "ok"],
    ["http://127.0.0.1:1", "ok"],
    ["http://[::1]:1/", "ok"],
    ["http://localhost", "ok"],
    ["ftp://host/", "scheme must be one of"],
    ["file:///etc/passwd", "scheme must be one of"],
    ["javascript:alert(1)", "scheme must be one of"],
    ["not-a-url", "not an absolute URL"],
    ["", "not an absolute URL"],
    ["//host/path", "not an absolute URL"],
    ["http://user@host/", "user name or password"],
    ["http://user:secret@host/", "user name or password"],
    ["http://:secret@host/", "user name or password"],
    ["http://169.254.169.254/latest/meta-data", "link-local"],
    ["http://[::ffff:a9fe:a9fe]/", "link-local"],
    ["http://[::ffff:7f00:1]/", "link-local"],
    ["http://[fe80::1]/", "link-local"],
    ["http://[fd00:ec2::254]/", "link-local"],
    ["http://0.0.0.0/", "link-local"],
    ["http://metadata.google.internal/computeMetadata/v1/", "metadata service"],
    ["http://METADATA.google.internal/", "metadata service"],
    [`http://${"a".repeat(300)}/`, "longer than 253"],
  ])("%s: %s", (url, expected) => {
    expect(verdict(url)).toContain(expected);
  });

  it("refuses private addresses when they are switched off", () => {
    for (const url of ["http://10.0.0.1", "http://127.0.0.1", "http://[::1]", "http://[fc00::1]"]) {
      expect(verdict(url, { allowPrivateNetworks: false })).toContain("private network");
    }
    expect(verdict("http://8.8.8.8", { allowPrivateNetworks: false })).toBe("ok");
  });

  it("takes globs and networks for hosts, and blocks before it allows", () => {
    const policy = { allowedHosts: ["*.svc.cluster.local", "10.2.0.0/16"], blockedHosts: ["secret.*"] };
    expect(verdict("http://a.b.SVC.cluster.local/", policy)).toBe("ok");
    expect(verdict("http://secret.svc.cluster.local", policy)).toContain("blocked");
    expect(verdict("http://10.2.9.9", policy)).toBe("ok");
    expect(verdict("http://10.3.0.1", policy)).toContain("neither");
    expect(verdict("http://example.org", { allowedHosts: ["*.example.org"] })).toContain("not among");
    expect(verdict("http://10.9.0.1", { blockedHosts: ["10.9.0.0/16"] })).toContain("blocked");
    expect(verdict("http://[::1]", { blockedHosts: ["::1"] })).toContain("blocked");
    expect(verdict("http://x", { allowedHosts: [] })).toContain("not among");
  });

  it("names the setting that a private address needs, and says which texts it refuses whatever the policy", () => {
    const policy = compilePolicy({
      ...open,
      allowPrivateNetworks: false,
      privateNetworksSetting: "outbound.privateNetworks.templates",
    });
    const refused = policy.checkUrl("http://10.0.0.1");
    expect(refused).toMatchObject({ isMalformed: false });
    expect(refused.problem?.message).toContain("outbound.privateNetworks.templates is not set");
    expect(policy.checkUrl("http://10.0.1")).toMatchObject({ isMalformed: true });
  });

  it("answers every text without throwing", () => {
    const policy = compilePolicy({ ...open, allowedHosts: ["*a*b*"], blockedHosts: ["?"] });
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void policy.checkUrl(`http://${text}`)));
    fc.assert(fc.property(fc.webUrl(), (url) => void policy.checkUrl(url)));
  });
});

describe("globs", () => {
  it("agree with the regular expression they stand for", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 });
    const globs = fc.string({ unit: fc.constantFrom("a", "b", ".", "*", "?"), maxLength: 6 });
    fc.assert(
      fc.property(globs, texts, (glob, text) => {
        const source = glob.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
        expect(matchesGlob(glob, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

it("hides what a log line must not show", () => {
  expect(redactUrl("https://me:pw@h:1/p/q?token=abc&x=1&x=2#frag")).toBe("https://h:1/p/q?token=***&x=***");
  expect(redactUrl("secret text")).toBe("<not a URL>");
});
