import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startMockAdapter, type MockAdapter } from "../../adapters/mock/server.ts";
import { run } from "../testdata.ts";

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "plinth-check-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const running: MockAdapter[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((adapter) => adapter.close()));
});
async function start(options: Parameters<typeof startMockAdapter>[0] = {}): Promise<MockAdapter> {
  const adapter = await startMockAdapter(options);
  running.push(adapter);
  return adapter;
}

const unit = {
  id: "urn:dmb:dp:test:checked:0",
  version: "0.1.0",
  environment: "development",
  components: ["base", "top"].map((name) => ({
    id: `urn:dmb:cmp:test:checked:0:${name}`,
    name,
    specific: {},
  })),
};
function file(name: string, content: object = unit): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe("adapter check", () => {
  it("prints a line for each check, grouped, and the score", async () => {
    const adapter = await start({ secret: "a shared secret" });
    const env = { CORE_BACKEND_PLUGIN_AUTH_SECRET: "a shared secret" };
    const { code, out, err } = await run(["adapter", "check", adapter.url, "--yes"], { env });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines.filter((line) => /^\w/.test(line))).toEqual([
      "Validation",
      "Authorization",
      "Provisioning",
      "Idempotency",
      "Access",
      "Reverse provisioning",
      "Odd input",
      "Termination",
      "Unprovisioning",
      "Answers as a whole",
      "Score 100 of 100: 43 passed, 0 warnings, 0 failed, 6 skipped.",
    ]);
    expect(lines[1]).toBe("  pass  validation.valid                accepts the component's descriptor");
    expect(out).toContain("(it answers at once, so there is nothing to stop)");
  });

  it("tells for each failure what was sent, what came back, what the protocol says and what to do", async () => {
    const secret = "a shared secret";
    const behaviours = { default: { outcome: "FAILED", result: "no room" } as const };
    const adapter = await start({ secret, behaviours });
    const args = [
      "adapter",
      "check",
      adapter.url,
      "--yes",
      "--secret",
      secret,
      "--only",
      "provisioning.completes",
    ];
    const { code, out } = await run(args);
    expect(code).toBe(5);
    expect(out.replaceAll(/\w{8}(-\w{4}){3}-\w{12}/g, "<id>").split("\n")).toEqual(
      expect.arrayContaining([
        "  FAIL  provisioning.completes          provisions the component (answered at once)",
        "        The provisioning ended FAILED: no room.",
        "        The protocol: Work that is done ends COMPLETED. Doing again what is done already is no failure.",
        expect.stringMatching(
          /^ {8}→ If the descriptor is not one for this adapter, give one with --descriptor\./,
        ),
        "        sent",
        "          | POST /v1/provision",
        "          | authorization: Bearer ***",
        "          | idempotency-key: conformance:<id>",
        expect.stringContaining('| {"descriptorKind":"COMPONENT_DESCRIPTOR"'),
        expect.stringMatching(/^ {8}came back after \d+\.\d\d s$/),
        "          | 200 application/json",
        expect.stringContaining('| {"status":"FAILED","result":"no room"'),
        expect.stringMatching(
          /^Left behind, remove it by hand: urn:dmb:cmp:conformance:check-\w{8}:0:sample$/,
        ),
      ]),
    );
    expect(out).not.toContain(secret);
  });

  it("as JSON is one document", async () => {
    const adapter = await start({
      behaviours: { default: { odd: { start: { name: "status-case", times: 9 } } } },
    });
    const { code, out } = await run([
      "adapter",
      "check",
      adapter.url,
      "--yes",
      "--json",
      "--only",
      "provisioning",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      url: adapter.url,
      score: 66,
      counts: { pass: 1, warn: 2, fail: 0, skipped: 2 },
      complete: true,
      results: [
        {
          id: "provisioning.completes",
          outcome: "warn",
          deviations: [
            {
              severity: "warn",
              protocol: "`status` is one of RUNNING, COMPLETED, FAILED, TERMINATED, TERMINATING.",
              exchange: {
                method: "POST",
                answer: { status: 200, body: expect.stringContaining("Completed") },
              },
            },
          ],
        },
        { id: "provisioning.again", outcome: "warn" },
        { id: "provisioning.token", outcome: "skipped" },
        { id: "provisioning.end-stays", outcome: "skipped" },
        { id: "answers.tidy", outcome: "pass" },
      ],
    });
  });

  it("without --yes says what it would do and sends nothing", async () => {
    const adapter = await start();
    const { code, out, err } = await run([
      "adapter",
      "check",
      adapter.url,
      "--descriptor",
      file("unit.json"),
    ]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(
      "  provision urn:dmb:cmp:test:checked:0:base of urn:dmb:dp:test:checked:0 in development, several times\n",
    );
    expect(err).toContain("Nothing was sent.");
    expect(adapter.journal()).toEqual([]);
  });

  it("of validations needs no --yes, and acts on nothing", async () => {
    const adapter = await start();
    expect((await run(["adapter", "check", adapter.url, "--only", "validation"])).code).toBe(0);
    expect(adapter.effects().every(({ operation }) => operation === "validate")).toBe(true);
  });

  it("provisions what the component needs before it and removes all of it", async () => {
    const adapter = await start();
    const args = ["--descriptor", file("unit.json"), "--component", "top", "--needs", "base"];
    const { code } = await run(["adapter", "check", adapter.url, "--yes", "--only", "provisioning", ...args]);
    expect(code).toBe(0);
    const acted = adapter
      .journal()
      .map(({ operation, componentId }) => `${operation} ${componentId?.split(":").at(-1)}`);
    expect(acted[0]).toBe("provision base");
    expect(acted[1]).toBe("provision top");
    expect(acted.slice(-2)).toEqual(["unprovision top", "unprovision base"]);
  });

  it("ends with 3 when nothing answers", async () => {
    const adapter = await startMockAdapter();
    await adapter.close();
    const { code, out } = await run(["adapter", "check", adapter.url, "--yes"]);
    expect(code).toBe(3);
    expect(out).toContain("Nothing answers at the URL.");
  });

  it("lists its checks", async () => {
    const { code, out } = await run([
      "adapter",
      "check",
      "http://127.0.0.1:1",
      "--list",
      "--only",
      "reverse",
    ]);
    expect({ code, out }).toEqual({
      code: 0,
      out:
        "Reverse provisioning\n" +
        "  reverse.reads                   reads the component back\n" +
        "  reverse.missing-fields          refuses a request without its fields\n",
    });
  });

  it.each<[string, () => string[], string]>([
    ["a URL that is none", () => ["nowhere", "--yes"], "must begin with http"],
    [
      "an unknown check",
      () => ["http://127.0.0.1:1", "--only", "everything"],
      "no check or group everything",
    ],
    ["a missing file", () => ["http://127.0.0.1:1", "--yes", "--descriptor", "no.yaml"], "no file no.yaml"],
    [
      "an unknown component",
      () => ["http://127.0.0.1:1", "--yes", "--descriptor", file("unit.json"), "--component", "side"],
      "no component side",
    ],
    [
      "a production environment",
      () => [
        "http://127.0.0.1:1",
        "--yes",
        "--descriptor",
        file("p.json", { ...unit, environment: "production" }),
      ],
      "--production if this is meant",
    ],
    [
      "a descriptor without components",
      () => ["http://127.0.0.1:1", "--yes", "--descriptor", file("e.json", { id: "u", components: [] })],
      "no component to work with",
    ],
    [
      "params that are no object",
      () => ["http://127.0.0.1:1", "--yes", "--reverse-params", "[]"],
      "JSON object",
    ],
    ["a time that is none", () => ["http://127.0.0.1:1", "--timeout", "soon"], "number of seconds"],
  ])("refuses %s", async (_name, args, message) => {
    const { code, err } = await run(["adapter", "check", ...args()]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
