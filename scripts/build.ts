/**
 * Bundles the product into dist/, for images and wherever a process has to be up at once: `npm run build [-- --target <folder>]`. The
 * console is served from console/dist, which `npm run build:console` makes; it is no part of the bundle.
 */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { target: { type: "string" } } });
if (values.target === undefined) await rm(join(root, "dist"), { recursive: true, force: true });
await bundle(values.target === undefined ? join(root, "dist") : resolve(values.target));
