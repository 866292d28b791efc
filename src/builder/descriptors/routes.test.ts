import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type RunningServer } from "../../../test/support/http.ts";
import { createRenderer } from "../renderer.ts";
import { answerOf, problemsOf, testBuilder, type BuilderAnswer } from "../testdata.ts";
import { packArchive } from "../../platform/archive/write-archive.ts";

const renderer = createRenderer({ workers: 1 });
let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer([testBuilder(renderer, { archive: { maxUploadBytes: 200_000 } })]);
});
afterAll(async () => {
  await server.close();
  await renderer.close();
});

const system =
  "kind: System\nmetadata: { name: fleet.positions.0 }\nspec: { owner: 'group:default/fleet' }\n";
const good = () =>
  packArchive({ "s/catalog-info.yaml": system, "s/environments/production/configurations.yaml": "tag: P" });

type Part = [name: string, value: string | Buffer, fileName?: string];

const formOf = (parts: Part[]): FormData => {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string" && fileName === undefined) form.append(name, value);
    else form.append(name, new Blob([typeof value === "string" ? value : new Uint8Array(value)]), fileName);
  }
  return form;
};

const post = async (
  body: FormData | string | Buffer,
  headers: Record<string, string> = {},
): Promise<BuilderAnswer> =>
  answerOf(
    await fetch(`${server.url}/api/builder/descriptor`, {
      method: "POST",
      headers,
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    }),
  );

const build = (...parts: Part[]): Promise<BuilderAnswer> => post(formOf(parts));

describe("POST /descriptor", () => {
  it.each<[string, (archive: Buffer) => Part[]]>([
    [
      "environment first",
      (archive) => [
        ["environment", "production"],
        ["archive", archive, "a.tar.gz"],
      ],
    ],
    [
      "archive first",
      (archive) => [
        ["archive", archive, "a.TGZ"],
        ["environment", "production"],
      ],
    ],
    [
      "further fields",
      (archive) => [
        ["note", "x"],
        ["archive", archive, "a.tgz"],
        ["environment", "production"],
      ],
    ],
  ])("builds with %s", async (_case, parts) => {
    const { status, body, headers } = await build(...parts(await good()));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["descriptor"]);
    expect(body.descriptor).toMatchObject({
      projectKind: "system",
      kind: "dataproduct",
      domain: "fleet",
      dataProductOwner: "group:default/fleet",
      metadata: { name: "fleet.positions.0" },
      environment: "production",
      tag: "P",
      components: [],
    });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("x-plinth-warning")).toBeNull();
  });

  it("says in a header what it ignored", async () => {
    const archive = await packArchive({ "s/catalog-info.yaml": system, "é/catalog-info.yaml": system });
    const { status, headers } = await build(["environment", "production"], ["archive", archive, "a.tgz"]);
    expect(status).toBe(200);
    expect(headers.get("x-plinth-warning")).toBe("The archive holds 2 systems; s is used, ignored: ?.");
  });

  const table: [string, () => Promise<Part[]>, number, string, string[]][] = [
    ["no parts", async () => [], 400, "BUILDER_INVALID_UPLOAD", ["/archive", "/environment"]],
    ["no archive", async () => [["environment", "production"]], 400, "BUILDER_INVALID_UPLOAD", ["/archive"]],
    [
      "no environment",
      async () => [["archive", await good(), "a.tgz"]],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/environment"],
    ],
    [
      "an empty environment",
      async () => [
        ["environment", " "],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/environment"],
    ],
    [
      "an unknown environment",
      async () => [
        ["environment", "x"],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["/environment"],
    ],
    [
      "an unknown environment after the archive",
      async () => [
        ["archive", await good(), "a.tgz"],
        ["environment", "x"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["/environment"],
    ],
    [
      "an unknown environment and no archive",
      async () => [["environment", "x"]],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/archive", "/environment"],
    ],
    [
      "two environments",
      async () => [
        ["environment", "production"],
        ["environment", "production"],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/environment"],
    ],
    [
      "an environment as a file",
      async () => [
        ["environment", "production", "e.txt"],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/environment"],
    ],
    [
      "a very long environment",
      async () => [
        ["environment", "x".repeat(10_000)],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/environment"],
    ],
    [
      "two archives",
      async () => [
        ["environment", "production"],
        ["archive", await good(), "a.tgz"],
        ["archive", await good(), "b.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/archive"],
    ],
    [
      "an archive as a text",
      async () => [
        ["environment", "production"],
        ["archive", "text"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/archive"],
    ],
    [
      "a zip by name",
      async () => [
        ["environment", "production"],
        ["archive", await good(), "a.zip"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/archive"],
    ],
    [
      "another file",
      async () => [
        ["environment", "production"],
        ["archive", await good(), "a.tgz"],
        ["other", "x", "o.txt"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      ["/other"],
    ],
    [
      "a zip by content",
      async () => [
        ["environment", "production"],
        ["archive", "PK\u0003\u0004", "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["/archive"],
    ],
    [
      "a broken archive before the environment",
      async () => [
        ["archive", "PK", "a.tgz"],
        ["environment", "x"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["/archive"],
    ],
    [
      "a broken archive after an unknown environment",
      async () => [
        ["environment", "x"],
        ["archive", "PK", "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["/environment", "/archive"],
    ],
    [
      "an entity problem",
      async () => [
        ["environment", "production"],
        ["archive", await packArchive({ "s/x": "" }), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_ARCHIVE",
      ["s"],
    ],
    [
      "a reserved field name",
      async () => [
        ["__proto__", "x"],
        ["environment", "production"],
        ["archive", await good(), "a.tgz"],
      ],
      400,
      "BUILDER_INVALID_UPLOAD",
      [""],
    ],
    [
      "too many parts",
      async () => Array.from({ length: 50 }, (_, index): Part => [`f${index}`, "x"]),
      400,
      "BUILDER_INVALID_UPLOAD",
      [""],
    ],
  ];

  it.each(table)("answers %s", async (...[, parts, status, code, where]) => {
    const answer = await build(...(await parts()));
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(problemsOf(answer)).toEqual(where);
    expect(answer.body).toMatchObject({
      error: { name: "InputError", message: expect.any(String) },
      request: { method: "POST", url: "/api/builder/descriptor" },
      response: { statusCode: status },
    });
    expect((await build(["environment", "production"], ["archive", await good(), "a.tgz"])).status).toBe(200);
  });

  it("answers 413 to an archive over the limit, and the sender sees the answer", async () => {
    const archive = await packArchive({ "s/catalog-info.yaml": system, "s/x": randomBytes(400_000) });
    const answer = await build(["environment", "production"], ["archive", archive, "a.tgz"]);
    expect([answer.status, answer.body.error.code]).toEqual([413, "BUILDER_ARCHIVE_TOO_LARGE"]);
    expect(answer.body.error.name).toBe("PayloadTooLargeError");
  });

  it("lets a client that sends everything before it reads see why it was refused", async () => {
    const large = await startTestServer([testBuilder(renderer)]);
    const body = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="archive"; filename="a.tgz"\r\n\r\nPK'),
      Buffer.alloc(15_000_000),
      Buffer.from("\r\n--b--\r\n"),
    ]);
    const socket = connect({ port: large.port, host: "127.0.0.1" });
    socket.pause();
    socket.write(
      "POST /api/builder/descriptor HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.write(body, () => resolve());
    });
    const answer = await textOf(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("The archive is not gzip data.");
    await large.close();
  });

  it("cuts the connection of an upload that does not end", async () => {
    const { hostname, port } = new URL(server.url);
    const boundary = "b";
    let sent = 0;
    const ended = new Promise<string>((resolve) => {
      const request = httpRequest({
        hostname,
        port,
        path: "/api/builder/descriptor",
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      });
      const pump = (): void => {
        while (!request.destroyed && request.write(randomBytes(16_384))) sent += 16_384;
      };
      request.write(
        `--${boundary}\r\ncontent-disposition: form-data; name="archive"; filename="a.tgz"\r\n\r\nPK`,
      );
      request.on("drain", pump);
      request.on("response", (response) => {
        response.resume();
        response.on("end", () => resolve(String(response.statusCode)));
      });
      request.on("error", () => resolve("cut"));
      request.on("close", () => resolve("cut"));
      pump();
    });
    expect(["400", "cut"]).toContain(await ended);
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each<[string, string | Buffer, Record<string, string>]>([
    ["JSON", "{}", { "content-type": "application/json" }],
    ["no content type", Buffer.from("x"), {}],
    ["urlencoded", "environment=x", { "content-type": "application/x-www-form-urlencoded" }],
    ["multipart without a boundary", "x", { "content-type": "multipart/form-data" }],
    ["a form that is no form", "hello", { "content-type": "multipart/form-data; boundary=b" }],
    [
      "a form that breaks off",
      '--b\r\ncontent-disposition: form-data; name="archive"; filename="a.tgz"\r\n\r\nPK',
      { "content-type": "multipart/form-data; boundary=b" },
    ],
    [
      "a part with broken JSON",
      '--b\r\ncontent-disposition: form-data; name="x"\r\ncontent-type: application/json\r\n\r\n{\r\n--b--\r\n',
      { "content-type": "multipart/form-data; boundary=b" },
    ],
  ])("answers 400 to %s", async (_case, body, headers) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(400);
    expect(answer.body.error.problems?.length).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|FST_|busboy|at /);
  });

  it("survives a client that goes away in the middle", async () => {
    const { hostname, port } = new URL(server.url);
    await new Promise<void>((resolve) => {
      const request = httpRequest({
        hostname,
        port,
        path: "/api/builder/descriptor",
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=b" },
      });
      request.on("error", () => {});
      request.on("close", resolve);
      request.write(
        '--b\r\ncontent-disposition: form-data; name="archive"; filename="a.tgz"\r\n\r\n\u001f',
        () => setTimeout(() => request.destroy(), 50),
      );
    });
    expect((await build(["environment", "production"], ["archive", await good(), "a.tgz"])).status).toBe(200);
  });
});
