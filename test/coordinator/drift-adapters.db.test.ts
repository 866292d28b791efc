/** How drift checks ask adapters that differ: by which operation, for how long, and what they make of the answers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { registerAdapter, startWholeServer, until, type WholeServer } from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

const adapterId = "urn:dmb:itm:forge:1";
/** The same adapter under an id that has a time limit of its own. */
const hastyId = "urn:dmb:itm:hasty:1";
const template = "urn:dmb:utm:ship:1";

interface Reply {
  status?: number;
  body: unknown;
}

let server: WholeServer;
let peer: HttpPeer;
let count = 0;
/** By path; without one it is 404. Null never answers. */
let replies: Record<string, Reply | null>;
/** Of calls with a body, and of polls. */
let calls: { path: string; key: string }[];

const valid = { body: { valid: true } };
const notValid = { body: { valid: false, error: { errors: ["The port is gone."] } } };
const completed = { body: { status: "COMPLETED", result: "" } };
const basics = { "/v1/validate": valid, "/v1/provision": completed };

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    request.resume();
    request.on("end", () => {
      const path = request.url ?? "";
      calls.push({ path, key: String(request.headers["idempotency-key"]) });
      const reply = replies[path];
      if (reply === null) return;
      response.writeHead(reply === undefined ? 404 : (reply.status ?? 200), {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(reply?.body ?? {}));
    });
  });
  server = await startWholeServer({
    configure({ coordinator: { execution, drift } }) {
      execution.callTimeoutMs = 5_000;
      execution.pollInitialMs = 10;
      execution.adapters = [{ id: hastyId, callTimeoutMs: 300 }];
      drift.timeoutMs = 60_000;
      // On the first of January: the tests begin their checks themselves.
      const never = { cron: "0 0 1 1 *", timeZone: "UTC" };
      drift.schedules = [{ ...never, environment: "development", reconcile: "ask" }];
    },
  });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  replies = { ...basics };
  calls = [];
  await register();
});

const register = (properties: object = {}): Promise<void> =>
  registerAdapter(server, { id: adapterId, url: peer.url, properties });

const freshUnit = (more: object = {}) => {
  const unit = ships(`urn:dmb:dp:sea:forged${++count}:0`);
  unit.components = [
    { ...unit.components[0]!, infrastructureTemplateId: adapterId, specific: { size: 4 }, ...more },
  ];
  return unit;
};
type Unit = ReturnType<typeof freshUnit>;

async function deployed(more: object = {}): Promise<Unit> {
  const unit = freshUnit(more);
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  calls = [];
  return unit;
}
async function checked(unit: Unit): Promise<any> {
  const path = `/v1/deployment-units/${unit.id}/drift-checks?environment=development`;
  const { body: id } = await server.coordinator({ method: "POST", path });
  const { body } = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${id}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  expect(body.result).toBe(body.components[0].result);
  return body.components[0];
}
const paths = (): string[] => calls.map(({ path }) => path);

describe("of an adapter that validates by /v2/validate", () => {
  const asynchronous = { asyncValidation: true };
  const statusPath = "/v2/validate/t/status";
  const accepted = { status: 202, body: "t" };
  const reported = (isValid: boolean) => ({
    body: {
      status: "COMPLETED",
      result: "",
      info: { publicInfo: { valid: isValid }, privateInfo: {} },
    },
  });

  it("the verdict is polled, as in a plan", async () => {
    await register(asynchronous);
    const { "/v1/validate": _, ...others } = basics;
    replies = { ...others, "/v2/validate": accepted, [statusPath]: reported(true) };
    const unit = await deployed();
    expect(await checked(unit)).toMatchObject({ result: "NO_DRIFT", checkedBy: ["VALIDATION"] });
    expect(paths()).toEqual(["/v2/validate", statusPath]);
  });

  it("a verdict that it gives at once is taken", async () => {
    await register(asynchronous);
    const unit = await deployed();
    replies = { ...basics, "/v2/validate": notValid };
    expect(await checked(unit)).toMatchObject({ result: "DRIFTED", problems: ["The port is gone."] });
    expect(paths()).toEqual(["/v2/validate"]);
  });

  it("/v1/validate is asked where it has no other after all", async () => {
    await register(asynchronous);
    const unit = await deployed();
    expect(await checked(unit)).toMatchObject({ result: "NO_DRIFT", checkedBy: ["VALIDATION"] });
    expect(paths()).toEqual(["/v2/validate", "/v1/validate"]);
  });

  it.each([
    [
      "a token that it has forgotten",
      accepted,
      "GET /v2/validate/{token}/status: the adapter no longer knows",
    ],
    ["work without a token", { body: { status: "RUNNING" } }, "gave no token to poll"],
  ])("%s leaves it unknown", async (_, reply, why) => {
    await register(asynchronous);
    const unit = await deployed();
    replies = { ...basics, "/v2/validate": reply };
    expect(await checked(unit)).toMatchObject({
      result: "UNKNOWN",
      why: expect.stringContaining(why),
      checkedBy: [],
    });
  });
});

describe("whose live state is asked for", () => {
  const readable = { useCaseTemplateId: template };
  const questions = async (unit: Unit): Promise<unknown> => {
    const { body } = await server.coordinator({ path: `/v1/reconciles?deployment-unit-id=${unit.id}` });
    return body.data.map(({ status }: any) => status);
  };
  const reversePath = "/v1/reverse-provisioning";

  it("each operation has a key of its own", async () => {
    const unit = await deployed(readable);
    replies = { ...basics, [reversePath]: { body: { status: "COMPLETED", result: "", updates: {} } } };
    expect(await checked(unit)).toMatchObject({ checkedBy: ["VALIDATION", "REVERSE_PROVISIONING"] });
    expect(calls).toEqual([
      { path: "/v1/validate", key: expect.stringMatching(/^drift:[0-9a-f-]{36}:.*:hull:validate$/) },
      {
        path: reversePath,
        key: expect.stringMatching(/^drift:[0-9a-f-]{36}:.*:hull:reverse-provisioning$/),
      },
    ]);
  });

  // So answer many adapters that have no reverse provisioning.
  const unsupported = { status: 500, body: { error: "The reverseProvisioning operation is not supported" } };
  const said =
    "Its live state could not be read: POST /v1/reverse-provisioning: the adapter failed with 500: The reverseProvisioning operation is not supported";

  it("a 500 to that leaves the verdict of the validation, and is told", async () => {
    const unit = await deployed(readable);
    replies = { ...basics, [reversePath]: unsupported };
    expect(await checked(unit)).toMatchObject({
      result: "NO_DRIFT",
      why: `The adapter finds it valid. ${said}`,
      checkedBy: ["VALIDATION"],
    });
    replies["/v1/validate"] = notValid;
    expect(await checked(unit)).toMatchObject({
      result: "DRIFTED",
      why: `The adapter does not find valid any more what is deployed. ${said}`,
      problems: ["The port is gone."],
    });
  });

  it("a question about a live state that can't be read any more stays until it is read", async () => {
    const unit = await deployed(readable);
    const read = (size: number): Reply => ({
      body: { status: "COMPLETED", result: "", updates: { "spec.mesh.specific": { size } } },
    });
    replies = { ...basics, [reversePath]: read(5) };
    expect(await checked(unit)).toMatchObject({ result: "DRIFTED", pointers: ["/specific/size"] });
    await expect.poll(() => questions(unit)).toEqual(["ASKED"]);
    replies[reversePath] = unsupported;
    expect(await checked(unit)).toMatchObject({ result: "NO_DRIFT" });
    expect(await questions(unit)).toEqual(["ASKED"]);
    replies[reversePath] = read(4);
    expect(await checked(unit)).toMatchObject({ result: "NO_DRIFT" });
    expect(await questions(unit)).toEqual(["DROPPED"]);
  });

  it("a question about what is valid again ends, whether or not the live state can be read", async () => {
    const unit = await deployed(readable);
    replies = { ...basics, "/v1/validate": notValid, [reversePath]: unsupported };
    expect(await checked(unit)).toMatchObject({ result: "DRIFTED" });
    await expect.poll(() => questions(unit)).toEqual(["ASKED"]);
    replies["/v1/validate"] = valid;
    expect(await checked(unit)).toMatchObject({ result: "NO_DRIFT" });
    expect(await questions(unit)).toEqual(["DROPPED"]);
  });

  it.each([502, 503, 504])("%i leaves it unknown", async (status) => {
    const unit = await deployed(readable);
    replies = { ...basics, [reversePath]: { status, body: {} } };
    expect(await checked(unit)).toMatchObject({ result: "UNKNOWN", checkedBy: ["VALIDATION"] });
  });
});

it("the time limit of the adapter holds", async () => {
  await registerAdapter(server, { id: hastyId, url: peer.url });
  const unit = await deployed();
  await sql`update unit_components set infrastructure_template_id = ${hastyId} where unit_key = ${unit.id}
    and component_key = ${hullId}`.execute(server.db.database.db);
  replies = { ...basics, "/v1/validate": null };
  expect(await checked(unit)).toMatchObject({
    result: "UNKNOWN",
    why: expect.stringContaining("within 300 ms"),
  });
});
