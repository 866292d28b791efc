/**
 * Our templates beside Backstage's: the same expressions and steps are tried (`POST …/v2/dry-run`) on our server and on
 * the real scaffolder backend, in its newest release and in the last one that rendered with nunjucks itself. Ends with 1
 * when an answer differs that deviations.ts doesn't list, or when one that is listed doesn't differ.
 *
 * The backends are not dependencies of the project: `npm ci --prefix test/backstage/current` and
 * `npm ci --prefix test/backstage/nunjucks` first.
 *   node test/backstage/main.ts [--release current|nunjucks] [--only <text>] [--all]
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs, stripVTControlCharacters } from "node:util";
import { load } from "js-yaml";
import { tokenOf, type WholeServer } from "../support/server.ts";
import { deviations } from "./deviations.ts";
import { expressions, nested, values } from "./expressions.ts";
import { withOwnServer } from "./own-server.ts";
import { releases, startPeer, type Peer, type Release } from "./peers.ts";
import { stepCases, stepValues, type StepCase } from "./steps.ts";

const { values: flags } = parseArgs({
  options: { release: { type: "string" }, only: { type: "string" }, all: { type: "boolean" } },
});

interface Case {
  name: string;
  request: object;
  /** What stands in the output as it is when the expression could not be evaluated. */
  written?: string;
  isStep: boolean;
  isNested?: boolean;
}

const known = join(import.meta.dirname, "known.yaml");

function templateOf(steps: object[], output: object): object {
  return {
    apiVersion: "scaffolder.backstage.io/v1beta3",
    kind: "Template",
    metadata: { name: "dry-run", namespace: "default" },
    spec: { owner: "sailors", type: "service", parameters: { type: "object" }, steps, output },
  };
}

const ofExpression = ([name, written]: readonly [string, string]): Case => ({
  name,
  written,
  isStep: false,
  request: {
    template: templateOf([{ id: "say", name: "say", action: "debug:log", input: {} }], { value: written }),
    values,
    secrets: {},
    directoryContents: [],
  },
});

const ofStep = ({ name, steps, files = {}, output = {}, values: own = {} }: StepCase): Case => ({
  name,
  isStep: true,
  request: {
    template: templateOf(steps, output),
    values: { ...stepValues, ...own },
    secrets: {},
    directoryContents: Object.entries({ "template.yaml": "", ...files }).map(([path, text]) => ({
      path,
      base64Content: Buffer.from(text).toString("base64"),
    })),
  },
});

const ofNested = ([name, value]: readonly [string, unknown]): Case => ({
  ...ofStep({
    name,
    steps: [
      {
        id: "write",
        name: "write",
        action: "catalog:write",
        input: { entity: { kind: "X", metadata: { name: "x" }, spec: { value } } },
      },
    ],
    values,
  }),
  isNested: true,
});

const cases = [...expressions.map(ofExpression), ...nested.map(ofNested), ...stepCases.map(ofStep)].filter(
  ({ name }) => flags.only === undefined || name.includes(flags.only),
);

/** `refused` for any end but a good one; nothing more of it is compared. */
type Outcome = "refused" | { output: unknown; files?: Record<string, unknown>; said?: string[] };

interface DryRun {
  status?: string;
  output: Record<string, unknown>;
  log: { body: { message: string } }[];
  directoryContents: { path: string; base64Content: string; executable?: boolean }[];
  error?: unknown;
}

async function tryOn(base: string, headers: object, { request, written, isStep }: Case): Promise<Outcome> {
  const answer = await fetch(`${base}/v2/dry-run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
  });
  const body = (await answer.json()) as DryRun;
  if (flags.only !== undefined && flags.all === true) console.log(JSON.stringify(body, null, 1));
  if (answer.status === 429 || answer.status === 503) throw new Error(`${base} is too busy`);
  if (answer.status !== 200 || body.status === "failed") return "refused";
  // Backstage gives a text on as it stands when its expressions can't be evaluated.
  if (!isStep) return isUnevaluated(body.output["value"], written) ? "refused" : { output: body.output };
  const files = body.directoryContents.map(({ path, base64Content, executable }): [string, unknown] => [
    executable === true ? `${path} (executable)` : path,
    contentOf(path, Buffer.from(base64Content, "base64").toString("utf8")),
  ]);
  const said = body.log
    .map(({ body: { message } }) =>
      stripVTControlCharacters(message)
        .replace(/^info: /, "")
        .trimEnd(),
    )
    .flatMap((message) => message.split("\n"))
    .filter((line) => /^Said: |^ {2}- /.test(line));
  return { output: body.output, files: Object.fromEntries(files), said };
}

/** What an entity says; there is more than one way to write it. */
const contentOf = (path: string, text: string): unknown =>
  path.endsWith("catalog-info.yaml") ? load(text) : text;

const isUnevaluated = (value: unknown, written = ""): boolean =>
  value === written && /\$\{\{|\{%/.test(written);

interface Difference {
  name: string;
  ours: Outcome;
  theirs: Outcome;
}

async function compare(server: WholeServer, peer: Peer, release: Release): Promise<boolean> {
  const differences: Difference[] = [];
  const ownHeaders = { authorization: `Bearer ${tokenOf("admin")}` };
  let refused = 0;
  for (const each of cases) {
    const [ours, theirs] = await Promise.all([
      tryOn(`${server.url}/api/scaffolder`, ownHeaders, each),
      tryOn(peer.url, {}, each),
    ]);
    if (!isDeepStrictEqual(ours, theirs)) differences.push({ name: each.name, ours, theirs });
    else if (ours === "refused") refused += 1;
    if (flags.all === true)
      console.log(`  ${each.name}: ${JSON.stringify(ours)} | ${JSON.stringify(theirs)}`);
  }
  return report(release, differences, refused);
}

function report(release: Release, differences: Difference[], refused: number): boolean {
  const listed = new Set(deviations.flatMap((each) => each.cases[release] ?? []));
  const isAsked = new Set(cases.map(({ name }) => name));
  const unlisted = differences.filter(({ name }) => !listed.has(name));
  const differing = new Set(differences.map(({ name }) => name));
  const stale = [...listed].filter((name) => isAsked.has(name) && !differing.has(name));
  const steps = cases.filter(({ isStep, isNested }) => isStep && isNested !== true).length;
  console.log(
    `Backstage, release "${release}": ${cases.length - steps} expressions, ${steps} templates of steps`,
  );
  console.log(`  ${cases.length - differences.length} the same (${refused} of them refused by both)`);
  for (const { reason, cases: of } of deviations) {
    const count = (of[release] ?? []).filter((name) => differing.has(name)).length;
    if (count > 0) console.log(`  ${count} deviate: ${reason}`);
  }
  for (const { name, ours, theirs } of unlisted) {
    console.log(`  NOT LISTED ${JSON.stringify(name)}`);
    console.log(`    ours   ${JSON.stringify(ours)}`);
    console.log(`    theirs ${JSON.stringify(theirs)}`);
  }
  for (const name of stale) console.log(`  LISTED BUT THE SAME ${JSON.stringify(name)}`);
  return unlisted.length === 0 && stale.length === 0;
}

async function registerKnown({ url }: WholeServer): Promise<void> {
  const answer = await fetch(`${url}/api/catalog/locations`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf("admin")}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "file", target: known }),
  });
  if (!answer.ok) throw new Error(`The entity is refused: ${await answer.text()}`);
}

await withOwnServer(
  async ({ server, connection }) => {
    await registerKnown(server);
    const entity = load(await readFile(known, "utf8")) as object;
    let isGood = true;
    for (const release of releases) {
      if (flags.release !== undefined && flags.release !== release) continue;
      const peer = await startPeer({ release, connection, entities: [entity] });
      isGood = (await compare(server, peer, release)) && isGood;
      await peer.close();
    }
    process.exitCode = isGood ? 0 : 1;
  },
  (config) => {
    config.mesh.builder.catalogue.folders = [import.meta.dirname];
  },
);
