/** The reference of the metrics is what a running server reports, in both directions. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seriesNames, allMetrics } from "../scripts/metrics/all-metrics.ts";
import { ended, ships, start } from "./coordinator/ships.ts";
import { send, startWholeServer, type WholeServer } from "./support/server.ts";

let server: WholeServer;
let text: string;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  await ended(server, await start(server, ships("urn:dmb:dp:sea:reference:0")));
  text = (await send(server.url, { path: "/metrics", as: "viewer" })).text;
});
afterAll(() => server.close());

const page = readFileSync(new URL("../docs/reference/metrics.md", import.meta.url), "utf8");

interface Row {
  name: string;
  type: string;
  labels: string[];
  help: string;
}

const rowsOfPage = (): Row[] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [, name = "", type = "", labels = "", , , help = ""] = cells;
      return {
        name: name.replaceAll("`", ""),
        type,
        labels: labels === "" ? [] : labels.replaceAll("`", "").split(", "),
        help: help.replaceAll("\\|", "|"),
      };
    });

/** As the server says; the library escapes what a line can't have. */
function rowsOfServer(): Omit<Row, "labels">[] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = "", help = ""]) => ({
    name,
    type: types.get(name) ?? "",
    help,
  }));
}

/** Only what this version of Node.js, and this system, have. */
const isOfLibrary = (name: string): boolean => /^(?:process|nodejs)_/.test(name);

it("has every metric of the server, with its type and meaning, and no other", () => {
  const byName = (one: { name: string }, two: { name: string }): number => (one.name < two.name ? -1 : 1);
  const ours = ({ name }: { name: string }): boolean => !isOfLibrary(name);
  const wanted = rowsOfServer().filter(ours).toSorted(byName);
  const given = rowsOfPage().filter(ours).toSorted(byName);
  expect(wanted.length).toBeGreaterThan(50);
  expect(given.map(({ name, type, help }) => ({ name, type, help }))).toEqual(wanted);
  const ofLibrary = rowsOfServer().filter(({ name }) => isOfLibrary(name));
  const names = rowsOfPage().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(ofLibrary.map(({ name }) => name)));
});

it("has the labels that the series of the server have", () => {
  const rows = new Map(rowsOfPage().map((row) => [row.name, row]));
  const series = seriesNames(allMetrics());
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.length).toBeGreaterThan(200);
  for (const line of lines) {
    const [, name = "", labels = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    const found = [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label);
    const about = series.get(name);
    expect([line, about !== undefined || isOfLibrary(name)]).toEqual([line, true]);
    if (about === undefined) continue;
    const wanted = rows.get(about.name)?.labels ?? [];
    const given = new Set(found.filter((label) => label !== "le"));
    expect([line, given]).toEqual([line, new Set(wanted)]);
  }
});
