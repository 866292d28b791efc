/**
 * Writes docs/reference/chart.md from the chart's values, and the chart's list of old variables from the table of renames. With
 * `--check` it writes nothing and exits with 1 when one of them is not what its source says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { oldVariables } from "./chart/old-variables.ts";
import { listValues, renderValues } from "./chart/values-page.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const schema = JSON.parse(read("../charts/plinth/values.schema.json")) as object;

const made = {
  "../docs/reference/chart.md": renderValues(listValues(read("../charts/plinth/values.yaml"), schema)),
  "../charts/plinth/files/old-variables.json": oldVariables(),
};

for (const [path, text] of Object.entries(made)) {
  if (!process.argv.includes("--check")) writeFileSync(new URL(path, import.meta.url), text);
  else if (read(path) !== text) {
    console.error(`${path.slice(3)} is not what its source says: run npm run docs.`);
    process.exitCode = 1;
  }
}
