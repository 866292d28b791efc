/** The graph as a DBOS workflow: a step per task, layer after layer. */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { limitedCall } from "./call.mjs";

const [databaseUrl, adapterUrl, limit] = process.argv.slice(2);
const call = limitedCall(adapterUrl, Number(limit));

const graph = DBOS.registerWorkflow(
  async (layers) => {
    for (const layer of layers) await Promise.all(layer.map((id) => DBOS.runStep(call, { name: id })));
  },
  { name: "graph" },
);

DBOS.setConfig({
  name: "peers",
  systemDatabaseUrl: databaseUrl,
  systemDatabasePoolSize: 70,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
const measure = async (layers) => {
  const started = performance.now();
  await graph(layers);
  process.send({ seconds: (performance.now() - started) / 1000 });
};
process.on("message", ({ layers }) => void measure(layers));
process.on("disconnect", () => void DBOS.shutdown().then(() => process.exit(0)));
process.send({ ready: true });
