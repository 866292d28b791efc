/** Policies of the gallery. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../catalogue/policies");

export const loadYaml = (id: string): any => parse(readFileSync(join(folder, `${id}.yaml`), "utf8"));
