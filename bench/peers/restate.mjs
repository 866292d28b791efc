/** The graph as a Restate handler: a durable run per task, layer after layer. */
import * as restate from "@restatedev/restate-sdk";
import { limitedCall } from "./call.mjs";

const [port, adapterUrl, limit] = process.argv.slice(2);
const call = limitedCall(adapterUrl, Number(limit));

const graph = restate.service({
  name: "graph",
  handlers: {
    run: async (context, { layers }) => {
      for (const layer of layers) await restate.RestatePromise.all(layer.map((id) => context.run(id, call)));
      return "done";
    },
  },
});

await restate.serve({ services: [graph], port: Number(port) });
process.send({ ready: true });
process.on("disconnect", () => process.exit(0));
