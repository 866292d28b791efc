/** Bodies that do not come, or are said to be in another charset: of the public operation and of uploads too. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendRaw, startTestServer, testActor, type RunningServer } from "../../test/support/http.ts";
import { testBuilder } from "./testdata.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer([testBuilder(Object.create(null))], {
    server: { requestIdleMs: 300 },
    access: {
      authenticate: () => testActor,
      authorize: () => undefined,
      hasRule: () => true,
      isPublic: (rule) => rule === "updateHook",
    },
  });
});
afterAll(() => server.close());

const hook = "PUT /api/builder/hooks/cap_a HTTP/1.1\r\nhost: x\r\ncontent-type: application/json";
const form = "content-type: multipart/form-data; boundary=b";
const upload = `POST /api/builder/descriptor HTTP/1.1\r\nhost: x\r\n${form}`;
const file = 'content-disposition: form-data; name="archive"; filename="a.tar.gz"';

it.each([
  ["the answer of a third party", `${hook}\r\ncontent-length: 90\r\n\r\n{"status":`],
  ["an upload before its first part", `${upload}\r\ncontent-length: 9000\r\n\r\n--b\r\n`],
  ["an upload within its archive", `${upload}\r\ncontent-length: 9000\r\n\r\n--b\r\n${file}\r\n\r\n\x1f\x8b`],
])("half of %s is answered in time, in the words of the builder", async (_, bytes) => {
  const answer = await sendRaw(server.port, bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(JSON.parse(body)).toMatchObject({
    error: { name: "RequestTimeoutError", code: "PLATFORM_REQUEST_TIMEOUT" },
    response: { statusCode: 408 },
  });
});

it.each([
  ["the answer of a third party", `${hook}; charset=latin1\r\ncontent-length: 2\r\n\r\n{}`],
  ["an upload", `${upload}; charset=utf-16\r\ncontent-length: 9000\r\n\r\n--b`],
])("%s in another charset is refused unread", async (_, bytes) => {
  const answer = await sendRaw(server.port, bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 415 /);
  expect(JSON.parse(body)).toMatchObject({
    error: {
      name: "UnsupportedMediaTypeError",
      code: "PLATFORM_CHARSET",
      problems: [{ where: "content-type" }],
    },
  });
});
