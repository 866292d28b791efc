/** Who may import what, layer by layer from the bottom. */
import { importsOf, isTest, violationsOf, withoutComments } from "./source.ts";
import type { SourceFile, TidyRule, Violation } from "./source.ts";

/** What each folder of the platform may import besides itself. */
const platformFolders: Record<string, readonly string[]> = {
  errors: [],
  archive: ["errors"],
  lib: ["errors"],
  config: ["errors", "lib"],
  db: ["errors", "lib", "config"],
  // Copies all rows of all schemas.
  backup: ["errors", "archive", "lib", "config", "db"],
  telemetry: ["errors", "lib", "config"],
  "worker-pool": [],
  outbound: ["errors", "lib", "config", "telemetry"],
  events: ["errors", "lib", "config", "db", "telemetry", "outbound"],
  auth: ["errors", "lib", "config", "db", "telemetry", "outbound"],
  jobs: ["errors", "lib", "config", "db", "telemetry", "outbound", "events", "auth"],
  "shared-limits": ["errors", "lib", "config", "db", "jobs"],
  audit: ["errors", "lib", "db", "jobs"],
  "run-engine": ["errors", "lib", "config", "db", "telemetry", "outbound", "events", "auth", "jobs"],
  // No database, and access control comes in as a port, so that it knows no rule by name.
  http: ["errors", "lib", "config", "telemetry"],
  // Opens all of the platform for a process.
  runtime: [
    "errors",
    "lib",
    "config",
    "db",
    "telemetry",
    "outbound",
    "events",
    "auth",
    "jobs",
    "shared-limits",
    "audit",
    "http",
  ],
  // Looks at everything that can be wrong.
  doctor: ["errors", "lib", "config", "db", "jobs", "audit", "runtime"],
};

const areas = new Set(["builder", "assistant", "coordinator", "governance", "data-layer", "auth", "upgrade"]);

/** These see everything and are seen by nobody else. */
const isComposition = (path: string): boolean =>
  /^src\/(?:main|app|areas)\.ts$/.test(path) || path.startsWith("src/cli/");

export const importsFollowTheLayers: TidyRule = (files) =>
  files
    .filter((file) => !isTest(file) && !isComposition(file.path))
    .flatMap((file) => check(file, (target) => refusal(file.path, target)));

/** A page knows the shared parts, the interfaces and its own group; the frame alone knows all pages. */
const consoleRefusal = (from: string, target: string): string | undefined => {
  if (!target.startsWith("console/")) return "the console sees the product only over HTTP";
  const [, , layer, group] = from.split("/");
  const [, , targetLayer, targetGroup] = target.split("/");
  if (layer === "pages" && targetLayer === "pages" && group !== targetGroup)
    return "a group of pages imports no other group";
  const isBelow = layer === "api" || layer === "parts";
  return isBelow && targetLayer === "pages" ? "shared parts import no page" : undefined;
};

const refusal = (from: string, target: string): string | undefined => {
  const [top, folder = "", part = ""] = from.split("/");
  if (top === "e2e" || top === "examples" || top === "packages") {
    return target.startsWith("src/") ? "sees the product only over HTTP" : undefined;
  }
  if (top === "console") return consoleRefusal(from, target);
  if (top !== "src") {
    return undefined;
  }
  if (!target.startsWith("src/")) {
    return "product code imports nothing outside src/";
  }
  if (isComposition(target)) {
    return "nothing imports the composition";
  }
  if (folder === "platform") {
    return platformRefusal(part, target);
  }
  if (folder === "adapters") {
    return adapterRefusal(target);
  }
  if (folder === "reference") {
    return referenceRefusal(target);
  }
  return areas.has(folder) ? areaRefusal(folder, target) : `src/${folder} is not an area`;
};

const platformRefusal = (folder: string, target: string): string | undefined => {
  const allowed = platformFolders[folder];
  if (allowed === undefined) {
    return `src/platform/${folder} is not a folder of the platform`;
  }
  const inPlatform = /^src\/platform\/([^/]+)\//.exec(target);
  const to = inPlatform?.[1] ?? "";
  const isFine = inPlatform !== null && (to === folder || allowed.includes(to));
  return isFine ? undefined : `platform/${folder} imports only ${["itself", ...allowed].join(", ")}`;
};

/** Adapters are processes of their own: of the platform they know the errors and the library. */
const adapterRefusal = (target: string): string | undefined =>
  /^src\/(?:adapters|platform\/(?:errors|lib))\//.test(target)
    ? undefined
    : "adapters import only src/adapters and platform/{errors,lib}";

/** What the documents say beyond the operations is data about them. */
const referenceRefusal = (target: string): string | undefined =>
  /^src\/(?:reference|platform\/http)\//.test(target)
    ? undefined
    : "reference imports only itself and platform/http";

const areaRefusal = (area: string, target: string): string | undefined =>
  target.startsWith(`src/${area}/`) || target.startsWith("src/platform/")
    ? undefined
    : "an area imports the platform and itself; another area comes in through ports.ts";

/** schema <- pure <- store <- service <- routes, by the names of the files. */
export const importsPointDown: TidyRule = (files) =>
  files
    .filter((file) => !isTest(file) && file.path.startsWith("src/"))
    .flatMap((file) => {
      const own = heightOf(file.path);
      return own === undefined
        ? []
        : check(file, (target) => {
            const other = heightOf(target);
            return other !== undefined && other > own
              ? "imports point from routes down to schema"
              : undefined;
          });
    });

const heights = [
  /(?:^|-)schema(?:-[\w-]+)?\.ts$/,
  /(?:^|-)store\.ts$/,
  /(?:^|-)service\.ts$/,
  /(?:^|-)routes\.ts$/,
];

const heightOf = (path: string): number | undefined => {
  const name = path.split("/").at(-1) ?? "";
  const height = heights.findIndex((pattern) => pattern.test(name));
  return height === -1 ? undefined : height;
};

/** Modules with side effects, or that read the clock or random numbers. */
const effects =
  /^(?:node:(?!buffer|util|url|path|assert|crypto)|pg$|pg-boss$|undici$|fastify$|pino$|@fastify\/)/;

const effectCalls =
  /\b(?:Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|randomUUID\(|randomBytes\(|setTimeout\(|setInterval\(|fetch\(|process\.|console\.)/g;

/** By name or place, or because its first line says so. */
export const isPure = ({ path, text }: SourceFile): boolean =>
  /^src\/coordinator\/(?:planning|descriptor)\//.test(path) ||
  /\/(?:transitions|merge)\.ts$/.test(path) ||
  /^\/\*\* Pure\b/.test(text);

export const pureFilesTouchNothing: TidyRule = (files) =>
  files.flatMap((file) => (isPure(file) && !isTest(file) ? effectsOf(file) : []));

const effectsOf = (file: SourceFile): Violation[] => {
  const at = (line: number, message: string): Violation => ({ path: file.path, line, message });
  const upwards = (target: string): string | undefined => {
    if (target === "src/platform/db/sql.ts") return "a pure file holds no SQL";
    return (heightOf(target) ?? 0) > 0 ? "a pure file imports no store, service or routes" : undefined;
  };
  return [
    ...check(file, upwards),
    ...importsOf(file).flatMap(({ specifier, line }) =>
      effects.test(specifier) ? [at(line, `a pure file imports ${specifier}`)] : [],
    ),
    ...violationsOf(file.path, withoutComments(file.text), {
      pattern: effectCalls,
      message: "a pure file touches I/O, the clock or chance",
    }),
  ];
};

const check = (file: SourceFile, refuse: (target: string) => string | undefined): Violation[] =>
  importsOf(file).flatMap((found) => {
    const message = found.target === undefined ? undefined : refuse(found.target);
    return message === undefined
      ? []
      : [{ path: file.path, line: found.line, message: `${message}: ${found.specifier}` }];
  });
