import { afterAll, beforeAll, expect, it } from "vitest";
import { setDatabaseWait, startWholeServer, type WholeServer } from "../support/server.ts";
import { ships, start, type Ships } from "./ships.ts";

const length = 5_000;
let server: WholeServer;
let chain = "";
let row = "";

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      // A machine that does twenty other things needs more than the 4 s of a read for it.
      setDatabaseWait(config, { read: 60_000, write: 60_000 });
    },
  });
  await server.registerMock();
  chain = await start(
    server,
    long("urn:dmb:dp:sea:chain:0", (index) => (index === 0 ? [] : [`c${index - 1}`])),
  );
  row = await start(
    server,
    long("urn:dmb:dp:sea:row:0", () => []),
  );
});
afterAll(() => server.close());

const long = (id: string, dependsOn: (index: number) => string[]): Ships => {
  const [part] = ships().components;
  return {
    ...ships(id),
    components: Array.from({ length }, (_, index) => ({
      ...part!,
      id: `c${index}`,
      name: `c${index}`,
      dependsOn: dependsOn(index),
    })),
  };
};

const readJson = async (path: string): Promise<any> => {
  const { status, body } = await server.coordinator({ path });
  expect(status).toBe(200);
  return body.dag;
};

it.each(["", "?include-descriptors=false", "/status"])(
  "a chain of 5,000 tasks is answered whole: %s",
  async (rest) => {
    const dag = await readJson(`/v1/execution-plans/${chain}${rest}`);
    let depth = 0;
    for (let node = dag; node !== undefined; node = node.dependsOnTasks[0]) depth += 1;
    // The plan, the tasks, the gate between the stages, and one validation.
    expect(depth).toBe(length + 3);
  },
);

it("a row of 5,000 waiting tasks is answered whole", async () => {
  const dag = await readJson(`/v1/execution-plans/${row}/status`);
  expect(dag.dependsOnTasks).toHaveLength(length);
  expect(dag.dependsOnTasks[1].dependsOnTasks[0].dependsOnTasks).toEqual([]);
});
