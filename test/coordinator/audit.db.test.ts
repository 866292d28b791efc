/** The audit of a whole server over HTTP and the command line: lists, exports, chains and what verification finds. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run, type Ran } from "../../src/cli/testdata.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import { input, refusal, testRefusals } from "./refusals.ts";

let server: WholeServer;
let folder: string;

beforeAll(async () => {
  server = await startWholeServer({ configure: (config) => void (config.audit.sealEveryMs = 50) });
  folder = await mkdtemp(join(tmpdir(), "plinth-audit-"));
  for (const name of ["sloop", "ketch", "yawl"])
    await server.coordinator({
      method: "POST",
      path: "/v1/tech-adapters",
      body: { id: `urn:dmb:itm:${name}:1`, name, version: "1" },
      headers: { "x-request-id": `add-${name}` },
      as: name === "yawl" ? "operator" : "admin",
    });
  await server.governance({
    method: "PUT",
    path: "/ownership-rules",
    body: { version: 0, rules: [] },
    headers: { "x-request-id": "set-rules" },
  });
  await sealed();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = async (path: string): Promise<any> => {
  const { status, body, text } = await server.coordinator({ path, as: "operator" });
  expect(status, text).toBe(200);
  return body;
};
const sealed = () =>
  eventually("every row is sealed", async () =>
    (await get("/v1/audit/chains")).data.every(({ open }: any) => open.rows === 0),
  );
const cli = (args: string): Promise<Ran> =>
  run([...args.split(" "), "--url", server.url, "--token", server.token("operator")], { cwd: folder });

describe("the list", () => {
  it("has rows of all areas with the request and the address that they came from", async () => {
    const { data } = await get("/v1/audit?action=createTechAdapter&actor=service:default/operator");
    const { rows } = await server.db.database.pool.query(
      `select a.id, a.at, c.seq, encode(c.hash, 'hex') as hash from audit a join audit_chain c on c.audit_id = a.id
        where a.request_id = 'add-yawl'`,
    );
    expect(data).toEqual([
      {
        chain: "platform",
        id: rows[0].id,
        at: rows[0].at.toISOString(),
        area: "coordinator",
        actor: "service:default/operator",
        action: "createTechAdapter",
        resource: "adapter:urn:dmb:itm:yawl:1",
        requestId: "add-yawl",
        clientAddress: "127.0.0.1",
        detail: {},
        seq: rows[0].seq,
        hash: rows[0].hash,
      },
    ]);
    const [rules] = (await get("/v1/audit?request-id=set-rules")).data;
    expect(rules).toMatchObject({ chain: "governance", area: "governance", action: "putOwnershipRules" });
  });

  it.each([
    ["action=createTechAdapter", ["add-yawl", "add-ketch", "add-sloop"]],
    ["resource=adapter:urn:dmb:itm:ketch:1", ["add-ketch"]],
    ["resource=adapter:urn:dmb:itm:*", ["add-yawl", "add-ketch", "add-sloop"]],
    ["resource=adapter:urn:dmb:itm:", []],
    ["area=governance&action=putOwnershipRules", ["set-rules"]],
    ["area=builder&action=createTechAdapter", []],
    ["actor=user:default/nobody", []],
    ["request-id=add-sloop", ["add-sloop"]],
    ["action=createTechAdapter&to=2026-01-01T00:00:00Z", []],
    ["action=createTechAdapter&from=2999-01-01T00:00:00Z", []],
    [
      "action=createTechAdapter&from=2026-01-01T00:00:00Z&to=2999-01-01T00:00:00Z&limit=2",
      ["add-yawl", "add-ketch"],
    ],
  ])("%s", async (query, ids) => {
    const { data } = await get(`/v1/audit?${query}`);
    expect(data.map(({ requestId }: any) => requestId)).toEqual(ids);
  });

  it("leads from page to page through both chains, each row once, the latest first", async () => {
    const whole = (await get("/v1/audit?limit=500")).data;
    const seen: any[] = [];
    for (let after: string | null = ""; after !== null;) {
      const { data, meta } = await get(`/v1/audit?limit=2${after === "" ? "" : `&after=${after}`}`);
      expect(data.length).toBeGreaterThan(0);
      seen.push(...data);
      after = meta.pagination.next;
    }
    expect(seen).toEqual(whole);
    expect(new Set(seen.map(({ chain }) => chain))).toEqual(new Set(["platform", "governance"]));
    const times = seen.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? 1 : -1)));
  });

  testRefusals(
    () => server,
    [
      input("an area that is none", { path: "/v1/audit?area=kitchen" }, "area"),
      input("a time that is none", { path: "/v1/audit?from=yesterday" }, "from"),
      input("a long page", { path: "/v1/audit?limit=501" }, "limit"),
      refusal(400, "COORD_INVALID_CURSOR")("a cursor of ours", { path: "/v1/audit?after=abc" }, "after"),
      refusal(400, "COORD_INVALID_CURSOR")(
        "a cursor of another list",
        { path: `/v1/audit?after=${Buffer.from('["2026-01-01T00:00:00.000Z","a"]').toString("base64url")}` },
        "after",
      ),
      input("an export of an area that is none", { path: "/v1/audit/export?area=kitchen" }, "area"),
      input("a chain that is none", { path: "/v1/audit/chains/gold/verification" }, "chain"),
      input("an anchor that is none", { path: "/v1/audit/chains/platform/verification?anchor=1" }, "anchor"),
    ],
  );
});

describe("the export", () => {
  const exported = async (query = ""): Promise<Answer> =>
    server.coordinator({ path: `/v1/audit/export${query}`, as: "operator" });

  it("has a line for each row, in the order of the chains", async () => {
    const { headers, text } = await exported();
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { rows } = await server.db.database.pool.query("select count(*) as n from audit");
    const own = lines.filter(({ chain }) => chain === "platform");
    expect(own).toHaveLength(rows[0].n);
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
    expect(own.at(1).previousHash).toBe(own[0].hash);
    expect(lines.at(-1)).toMatchObject({ chain: "governance", requestId: "set-rules" });
    const [one] = (await exported("?request-id=add-yawl")).text.trimEnd().split("\n");
    expect(JSON.parse(one!)).toEqual(own.find(({ requestId }) => requestId === "add-yawl"));
  });
});

describe("the chains", () => {
  it("are both shown with their ends", async () => {
    await sealed();
    const { data } = await get("/v1/audit/chains");
    const { rows } = await server.db.database.pool.query(
      "select seq, encode(hash, 'hex') as hash, sealed_at from audit_head",
    );
    expect(data[0]).toEqual({
      chain: "platform",
      seq: rows[0].seq,
      hash: rows[0].hash,
      sealedAt: rows[0].sealed_at.toISOString(),
      isSigned: true,
      pruned: null,
      open: { rows: 0, oldestAt: null },
    });
    expect(data[1]).toMatchObject({ chain: "governance", isSigned: true });
  });
});

describe("plinth audit", () => {
  it("lists", async () => {
    const { code, out } = await cli("audit list --action createTechAdapter --limit 2");
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^AT +ACTOR +ACTION +RESOURCE +ADDRESS +REQUEST$/),
      expect.stringMatching(
        /^\S+Z +service:default\/operator +createTechAdapter +adapter:urn:dmb:itm:yawl:1 +127\.0\.0\.1 +add-yawl$/,
      ),
      expect.stringMatching(/ add-ketch$/),
      "",
    ]);
  });
});

describe("after somebody has changed rows in the database", () => {
  const sql = (text: string) => server.db.database.pool.query(text);
  beforeEach(async () => {
    await sealed();
    await sql(
      "create table saved as select * from audit; create table saved_chain as select * from audit_chain",
    );
  });
  afterEach(async () => {
    await sql(`truncate audit, audit_chain; insert into audit overriding system value select * from saved;
      insert into audit_chain select * from saved_chain; drop table saved, saved_chain`);
  });
  const idOf = async (requestId: string): Promise<{ id: number; seq: number }> =>
    (await get(`/v1/audit?request-id=${requestId}`)).data[0];

  it("verification is silent before", async () => {
    const { chain, checked, problems, next } = await get("/v1/audit/chains/platform/verification");
    expect([chain, checked > 3, problems, next]).toEqual(["platform", true, [], null]);
    expect((await cli("audit verify")).code).toBe(0);
  });

  it("verification, the command and its check of an export name the row", async () => {
    const { id, seq } = await idOf("add-ketch");
    await sql(`update audit set actor = 'user:default/eve' where id = ${id}`);
    const { problems } = await get("/v1/audit/chains/platform/verification");
    expect(problems).toEqual([{ kind: "CHANGED", seq, id, message: expect.any(String) }]);
    const verified = await cli("audit verify");
    expect(verified.code).toBe(5);
    expect(verified.out).toContain(`CHANGED at place ${seq} (row ${id})`);
    await cli("audit export -o changed.jsonl");
    const checked = await cli("audit verify --file changed.jsonl");
    expect(checked.code).toBe(5);
    expect(checked.out).toContain(`CHANGED at place ${seq} (row ${id})`);
  });

  it("an export without a line, or with one too many, is found out too", async () => {
    await cli("audit export -o whole.jsonl");
    expect((await cli("audit verify --file whole.jsonl")).code).toBe(0);
    const lines = (await readFile(join(folder, "whole.jsonl"), "utf8")).trimEnd().split("\n");
    await writeFile(join(folder, "cut.jsonl"), lines.toSpliced(1, 1).join("\n"));
    expect((await cli("audit verify --file cut.jsonl")).out).toContain("GAP at place 2");
    await writeFile(join(folder, "double.jsonl"), lines.toSpliced(1, 0, lines[1]!).join("\n"));
    expect((await cli("audit verify --file double.jsonl")).code).toBe(5);
    await writeFile(join(folder, "odd.jsonl"), "{}\n");
    expect((await cli("audit verify --file odd.jsonl")).code).toBe(2);
  });

  it("a deleted row, an inserted one and a cut end are found", async () => {
    const { id, seq } = await idOf("add-sloop");
    const { data } = await get("/v1/audit/chains");
    await sql(`delete from audit where id = ${id}`);
    await sql(`delete from audit where id = (select max(id) from audit);
      delete from audit_chain where audit_id = (select max(audit_id) from audit_chain)`);
    await sql(`insert into audit (id, actor, operation, subject, request_id) overriding system value
      values (-5, 'user:default/eve', 'x', 'y', '${newId()}')`);
    const { problems } = await get("/v1/audit/chains/platform/verification");
    expect(problems.map(({ kind, seq: place, id: row }: any) => [kind, place, row])).toEqual([
      ["DELETED", seq, id],
      ["INSERTED", null, -5],
      ["TRUNCATED", data[0].seq, null],
    ]);
  });

  it("a chain that was noted elsewhere is compared with the note", async () => {
    const { seq } = await idOf("add-ketch");
    const { hash } = (await get("/v1/audit?request-id=add-ketch")).data[0];
    expect((await cli(`audit verify --anchor platform:${seq}:${hash}`)).code).toBe(0);
    const other = await cli(`audit verify --anchor platform:${seq}:${"0".repeat(64)}`);
    expect([other.code, other.out.includes("ANCHOR_DIFFERS")]).toEqual([5, true]);
    expect((await cli("audit verify --anchor platform:1")).code).toBe(2);
  });
});
