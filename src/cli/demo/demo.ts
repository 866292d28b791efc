/** Runs the demo from start to clean-up. */
import { Failure } from "../../platform/errors/failure.ts";
import type { Server } from "../client/http.ts";
import { printLines, type Cli } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { duration } from "../print/text.ts";
import { addColumn, changed } from "./change.ts";
import { createStage, type Stage } from "./output.ts";
import * as steps from "./steps.ts";
import {
  releaseResources,
  prepareResources,
  startServices,
  type DemoResources,
  type DemoOptions,
  type RunningDemo,
} from "./services.ts";

export async function runDemo(cli: Cli, options: DemoOptions): Promise<number> {
  const startedAt = cli.now();
  const stage = createStage(cli, options.json ?? false);
  const resources = await prepareResources(cli, options);
  let failed = true;
  try {
    if (!stage.isJson)
      printLines(cli.out, [stage.styles.strong("Plinth: from files to a running data product")]);
    const demo = await play(cli, { stage, resources, port: options.port });
    failed = false;
    if (!stage.isJson) {
      printLines(cli.out, ["", `${stage.styles.good("Done")} in ${duration(cli.now() - startedAt)}.`]);
    }
    if (options.keep) await stayUp(cli, stage, demo);
    return exitCodes.ok.code;
  } catch (error) {
    if (cli.signal.aborted) {
      failed = false;
      printLines(cli.err, ["", "Interrupted; stopping what runs."]);
      return exitCodes.interrupted.code;
    }
    throw withLogs(error, resources);
  } finally {
    await releaseResources(resources, failed);
    if (!failed) printEnd(cli, stage, { resources, keep: options.keep ?? false });
  }
}

async function play(
  cli: Cli,
  { stage, resources, port }: { stage: Stage; resources: DemoResources; port: number },
): Promise<RunningDemo> {
  const { demo } = await start(cli, { stage, resources, port });
  await doMainJob(cli, { stage, demo, server: { url: demo.url, signal: cli.signal } });
  return demo;
}

/** Everything that the demo shows of a server and two adapters that run. */
export async function doMainJob(
  cli: Cli,
  { stage, demo, server }: { stage: Stage; demo: RunningDemo; server: Server },
): Promise<void> {
  await stage.step("register", "Register the adapters", () => steps.registerAdapters(server, stage, demo));
  const files = await steps.readExample();
  const { descriptor } = await stage.step("build", "Build a descriptor from an archive of entities", () =>
    steps.buildFrom(server, stage, files),
  );
  await stage.step("validate", "Validate it", () => steps.validate(server, stage, descriptor));
  const request = steps.requestFor(descriptor, false);
  const plan = await stage.step("plan", "Preview the plan", () => steps.preview(server, stage, request));
  await stage.step("provision", "Provision, through the PostgreSQL adapter", async () =>
    summaryOf(await steps.provision(cli, { server, stage, request, plan })),
  );
  const ids = descriptor.components.filter(({ kind }) => kind === "outputport").map(({ id }) => id);
  await stage.step("query", "Query the output ports", () =>
    steps.queryPorts(server, { stage, demo, unit: descriptor.id, ids }),
  );
  await stage.step("change", "Change one component, redeploy only that", () =>
    changeOne(cli, { server, stage, demo, files }),
  );
}

async function start(
  cli: Cli,
  { stage, resources, port }: { stage: Stage; resources: DemoResources; port: number },
): Promise<{ demo: RunningDemo }> {
  let demo: RunningDemo | undefined;
  await stage.step("start", "Start PostgreSQL, the server and two tech adapters", async () => {
    demo = await startServices(cli, resources, port);
    const { url, target, adapters, dataDir } = demo;
    stage.say(
      `server     ${url}`,
      `database   ${target.host}:${target.port}`,
      `adapters   postgres ${adapters.postgres.url}, mock ${adapters.mock.url}`,
      `data, logs ${dataDir}`,
    );
    return { url, dataDir, adapters: { postgres: adapters.postgres.url, mock: adapters.mock.url } };
  });
  return { demo: demo! };
}

const summaryOf = ({ token, status, tasks }: Awaited<ReturnType<typeof steps.provision>>): object => ({
  token,
  status,
  tasks: [...tasks.values()].map(({ id, status: state, tookMs, message }) => ({
    id,
    status: state,
    tookMs,
    message,
  })),
});

interface Change {
  server: Server;
  stage: Stage;
  demo: RunningDemo;
  files: Awaited<ReturnType<typeof steps.readExample>>;
}

/** Shows that a changed component is redeployed and nothing else; throws when anything else was touched. */
async function changeOne(cli: Cli, { server, stage, demo, files }: Change): Promise<object> {
  const { directory, column } = changed;
  stage.say(
    `${directory}/catalog-info.yaml gets the column ${column.name} (${column.dataType}); nothing else changes.`,
  );
  const { descriptor } = await steps.buildFrom(server, stage, addColumn(files));
  const target = descriptor.components.find(({ id }) => id.endsWith(`:${directory}`))?.id ?? "";
  const request = steps.requestFor(descriptor, true);
  stage.say("");
  const plan = await steps.preview(server, stage, request);
  const moved = plan.operations.filter(({ action }) => action !== "NONE");
  if (moved.length !== 1 || moved[0]?.componentId !== target || moved[0].reason !== "DESCRIPTOR_CHANGED") {
    throw steps.demoFailure(`preventRedeploy should redeploy ${target} and nothing else.`);
  }
  stage.say("");
  const progress = await steps.provision(cli, { server, stage, request, plan });
  const touched = [...progress.tasks.keys()].filter((id) => !/^(?:policy|validate):/.test(id));
  if (touched.length !== 1 || touched[0] !== `provision:${target}`) {
    throw steps.demoFailure(`Only ${target} should have been provisioned.`, touched);
  }
  stage.say("");
  const found = await steps.queryPorts(server, { stage, demo, unit: descriptor.id, ids: [target] });
  if (!found.ports[0]?.columns.includes(column.name)) {
    throw steps.demoFailure(`The view does not show the new column ${column.name}.`);
  }
  const untouched = plan.operations.length - moved.length;
  stage.say("", `${stage.styles.good("OK")} 1 component redeployed, ${untouched} left as they were.`);
  return { ...summaryOf(progress), redeployed: [target], untouched, ...found };
}

async function stayUp(
  cli: Cli,
  stage: Stage,
  { url, consoleUrl, dataDir, target }: RunningDemo,
): Promise<void> {
  if (!stage.isJson) {
    const psql = `PGPASSWORD="$(cat ${quote(`${dataDir}/postgres.password`)})" psql -h ${target.host} -p ${target.port} -U ${target.user} ${target.dbname}`;
    printLines(cli.out, [
      "",
      ...(consoleUrl === null
        ? ["It stays up; Ctrl-C stops it."]
        : [
            "It stays up; Ctrl-C stops it. In a browser, with a tour of five steps:",
            `   ${stage.styles.strong(`${consoleUrl}?tour=1`)}`,
          ]),
      "In another terminal:",
      `   export PLINTH_URL=${url}`,
      `   npm run -s plinth -- status urn:dmb:dp:mobility:fleet-positions:0 -e ${steps.environment}`,
      "   npm run -s plinth -- build examples/fleet-positions -e production -o /tmp/fleet.yaml",
      "   npm run -s plinth -- plan /tmp/fleet.yaml",
      "   npm run -s plinth -- provision /tmp/fleet.yaml",
      `   ${psql} -c 'select * from fleet_dev.fleet_summary'`,
    ]);
  }
  if (cli.signal.aborted) return;
  // The running server keeps the process alive, not this promise.
  await new Promise((done) => cli.signal.addEventListener("abort", done, { once: true }));
}

function printEnd(
  cli: Cli,
  stage: Stage,
  { resources, keep }: { resources: DemoResources; keep: boolean },
): void {
  if (stage.isJson) return;
  const { dataDir, isTemporary } = resources;
  const left = isTemporary ? `${dataDir} is removed.` : `The data is kept in ${dataDir}.`;
  printLines(cli.out, ["", `Everything it started is stopped. ${left}`]);
  if (keep || cli.signal.aborted) return;
  printLines(cli.out, [
    "Go on:",
    "   npm run demo -- --keep          the same, and it stays up to be tried by hand",
    "   npm start                       the server alone, data in ./.plinth",
    "   npm run -s plinth -- --help     the command line",
  ]);
}

const quote = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Adds the location of the logs to a failure of the demo; the logs stay there. */
function withLogs(error: unknown, { dataDir }: DemoResources): unknown {
  if (!(error instanceof Failure)) return error;
  const { kind, code, message, problems, solutions } = error;
  return new Failure({
    kind,
    code,
    message,
    problems,
    solutions: [...solutions, `The logs are kept in ${dataDir}.`],
    cause: error,
  });
}
