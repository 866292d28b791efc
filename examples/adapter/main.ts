/** A tech adapter for directories: a deployed component is one, and `.readers` in it says who may read. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isObject, refuse, serveAdapter, type DescriptorCall, type Problem } from "plinth/adapter-kit";

const [port = "4200", folder = "directories"] = process.argv.slice(2);
const nameIn = (specific: unknown): unknown => (isObject(specific) ? specific["directory"] : undefined);
const isName = (name: unknown): boolean => typeof name === "string" && /^[a-z][a-z0-9-]{0,62}$/.test(name);
const pathOf = (where: unknown, name: unknown): string => resolve(folder, String(where), String(name));

function problemsOf({ component, pointer }: DescriptorCall): Problem[] {
  if (isName(nameIn(component?.["specific"]))) return [];
  const solution = "Use up to 63 small letters, digits and hyphens, a letter first.";
  return [{ where: `${pointer}/specific/directory`, message: "is no name for a directory", solution }];
}

/** Where the component's directory is; refuses a bad name, and the directory of another component. */
async function placeOf(call: DescriptorCall): Promise<{ path: string; owner: string | null; id: string }> {
  const problems = problemsOf(call);
  if (problems.length > 0) throw refuse("The component cannot be a directory.", problems);
  const path = pathOf(call.unit["environment"], nameIn(call.component?.["specific"]));
  const owner = await readFile(join(path, ".owner"), "utf8").catch(() => null);
  const id = String(call.component?.["id"]);
  if (owner === null || owner === id) return { path, owner, id };
  throw refuse("The directory is taken.", [{ where: call.pointer, message: `it belongs to ${owner}` }]);
}

await serveAdapter({
  name: "directories",
  port: Number(port),
  secret: process.env["CORE_BACKEND_PLUGIN_AUTH_SECRET"] || undefined,
  handlers: {
    validate: async (call) => problemsOf(call),
    async provision(call) {
      const { path, owner, id } = await placeOf(call);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, ".owner"), id);
      const publicInfo = { path: { type: "string", label: "Directory", value: path } };
      return { result: owner === null ? "The directory was made." : "It was there.", info: { publicInfo } };
    },
    async unprovision(call) {
      const { path } = await placeOf(call);
      const gone = call.removeData ? [path] : [join(path, ".readers"), join(path, ".owner")];
      for (const each of gone) await rm(each, { recursive: true, force: true });
      return { result: call.removeData ? "The directory is gone." : "The files stay; they are nobody's." };
    },
    async updateAcl(call) {
      const { path, owner } = await placeOf(call);
      const problem = { where: call.pointer, message: "has no directory", solution: "Deploy it first." };
      if (owner === null) throw refuse("The component is not deployed.", [problem]);
      await writeFile(join(path, ".readers"), call.refs.map((ref) => `${ref}\n`).join(""));
      return { result: `${call.refs.length} may read it.` };
    },
    async reverseProvision({ environment, params }) {
      const name = nameIn(params);
      const files = isName(name) ? await readdir(pathOf(environment, name)).catch(() => []) : [];
      return { updates: { "spec.mesh.specific.files": files.filter((file) => !file.startsWith(".")) } };
    },
  },
});
