import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dump } from "js-yaml";
import { startWholeServer, type Call, type WholeServer } from "../support/server.ts";
import { countRows, input, testRefusals } from "./refusals.ts";
import { hullId, ships } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    // Nobody works here, so no adapter ever answers.
    configure: (config) => void (config.coordinator.validation.syncTimeoutMs = 50),
  });
  await server.registerMock();
});
afterAll(() => server.close());

const post = (body: unknown): Call => ({ method: "POST", path: "/v1/validate", body });

describe("validateDescriptor refuses", () => {
  testRefusals(
    () => server,
    [
      input("no body", post(undefined), ""),
      input("malformed JSON", post("{"), ""),
      input(
        "YAML instead of JSON",
        { ...post("id: a"), headers: { "content-type": "application/yaml" } },
        "content-type",
      ),
      input("an empty object", post({}), "/descriptor"),
      input("an empty descriptor", post({ descriptor: "" }), "/descriptor"),
      input("a descriptor that is an object", post({ descriptor: ships() }), "/descriptor"),
      input("removeData as text", post({ descriptor: "id: a", removeData: "no" }), "/removeData"),
      input("NUL in the YAML", post({ descriptor: "id: a\0" }), "/descriptor"),
      input("half a surrogate pair", post({ descriptor: "id: \ud800" }), "/descriptor"),
    ],
  );
});

describe("startValidation and getValidationStatus refuse", () => {
  const start = (body: unknown): Call => ({ method: "POST", path: "/v2/validate", body });
  testRefusals(
    () => server,
    [
      input("no body", start(undefined), ""),
      input("an empty object", start({}), "/descriptor"),
      input("a descriptor that is an object", start({ descriptor: ships() }), "/descriptor"),
      input("removeData as text", start({ descriptor: "id: a", removeData: "no" }), "/removeData"),
      [
        "an unknown token",
        { path: "/v2/validate/00000000-0000-4000-8000-000000000000/status" },
        404,
        "COORD_PLAN_NOT_FOUND",
        "token",
      ],
    ],
  );
});

/** `[case, YAML, where each problem is]`; the request itself is in order, so the answer is 200 with the problems. */
const findings: [what: string, yaml: string, where: string[]][] = [
  ["a flow that does not end", "a: [b", ["/descriptor"]],
  ["a bad indent", "id: a\n  name: b\n", ["/descriptor"]],
  ["a tab for an indent", "id: a\ncomponents:\n\t- id: b\n", ["/descriptor"]],
  ["a key twice, and says what else is wrong", "id: a\nid: b\n", ["/descriptor/components"]],
  ["two documents", "id: a\n---\nid: b\n", ["/descriptor"]],
  ["an alias of nothing", "id: *a\n", ["/descriptor"]],
  ["a tag of a language", "id: !!js/function a\n", ["/descriptor"]],
  ["white space only", "  \n", ["/descriptor"]],
  ["a text", "just words", ["/descriptor"]],
  ["a list", "- a\n", ["/descriptor"]],
  ["an escaped NUL", 'id: "a\\0"\n', ["/descriptor/id"]],
  ["an escaped surrogate", 'id: a\nname: "\\ud800"\n', ["/descriptor/name"]],
  ["NUL in the environment", 'id: a\nenvironment: "\\0"\ncomponents: []\n', ["/descriptor/environment"]],
  ["nothing of a unit", "{}", ["/descriptor/id", "/descriptor/components", "/descriptor/environment"]],
  ["an unknown environment", dump({ ...ships(), environment: "moon" }), ["/descriptor/environment"]],
  [
    "several things at once",
    dump({ id: "u", environment: "development", components: [{ id: "a", dependsOn: ["b"] }, { name: "c" }] }),
    [
      "/descriptor/components/1/id",
      "/descriptor/components/0/dependsOn/0",
      "/descriptor/components/0/infrastructureTemplateId",
    ],
  ],
];

it.each(findings)("validateDescriptor finds %s", async (...[, yaml, where]) => {
  const before = await countRows(server);
  const answer = await server.coordinator(post({ descriptor: yaml }));
  expect(answer.status).toBe(200);
  const [result] = answer.body.results;
  expect(result).toMatchObject({
    validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
    validatedDescriptor: yaml,
    status: "FAILED",
    errors: { code: "COORD_INVALID_DESCRIPTOR", inputErrorField: where[0] },
  });
  const places = (result.errors.moreInfo.problems as string[]).map((text) =>
    text.slice(0, text.indexOf(": ")),
  );
  expect(places).toEqual(expect.arrayContaining(where));
  expect(answer.text).not.toMatch(/node_modules|\/src\/|\bat \w+ \(/);
  expect(await countRows(server)).toEqual(before);
});

it("takes YAML with a byte order mark, CR LF, anchors and merges", async () => {
  const [hull] = ships().components;
  const text = dump({ ...ships(), components: [{ ...hull, dependsOn: [] }] }, { lineWidth: -1 });
  const merged = `\ufeffx-all: &all {kind: storage}\n${text}`.replace(
    `- id: ${hullId}`,
    `- <<: *all\n    id: ${hullId}`,
  );
  const { body } = await server.coordinator(post({ descriptor: merged.replaceAll("\n", "\r\n") }));
  expect(body.results[0]).toMatchObject({ status: "COMPLETED", errors: { errors: [], code: "" } });
});

it("refuses a bomb of aliases", async () => {
  const level = (name: string, of: string): string =>
    `${name}: &${name} [${Array.from({ length: 9 }, () => of).join(", ")}]`;
  const names = "abcdefghi".split("");
  const yaml = ["z: &z [x]", ...names.map((name, i) => level(name, `*${i === 0 ? "z" : names[i - 1]}`))].join(
    "\n",
  );
  const { status, body } = await server.coordinator(post({ descriptor: yaml }));
  expect([status, body.results[0].status]).toEqual([200, "FAILED"]);
});
