/** Actions as a module of others would have them, for the tests of how they are run. */
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const text = { type: "string" };

export const paint = {
  id: "ship:paint",
  description: "Paints a ship.",
  supportsDryRun: true,
  schema: {
    input: { type: "object", required: ["color"], properties: { color: text } },
    output: { type: "object", properties: { painted: text } },
  },
  async handler(ctx) {
    ctx.logger.info(`painting ${ctx.input.color}`);
    ctx.logger.child({ deck: 1 }).warn("still wet");
    ctx.logStream.write("to the stream\n");
    await new Promise((done) => ctx.logStream.end(done));
    console.log("to the console");
    const folder = await ctx.createTemporaryDirectory();
    await writeFile(join(folder, "sketch"), ctx.input.color);
    await mkdir(join(ctx.workspacePath, "hull"), { recursive: true });
    await writeFile(
      join(ctx.workspacePath, "hull", "color.txt"),
      await readFile(join(folder, "sketch"), "utf8"),
    );
    const { principal } = await ctx.getInitiatorCredentials();
    ctx.output("painted", ctx.input.color.toUpperCase());
    ctx.output("context", {
      user: principal.userEntityRef,
      ref: ctx.user.ref,
      task: ctx.task.id,
      template: ctx.templateInfo.entityRef,
      isDryRun: ctx.isDryRun,
      secret: ctx.secrets.token?.length,
      environment: Object.keys(process.env).sort(),
    });
  },
};

/** Made by a function without parameters, as many modules do. */
export function createCountAction() {
  return {
    id: "ship:count",
    async handler(ctx) {
      const first = await ctx.checkpoint({ key: "first", fn: async () => ({ at: "first" }) });
      const second = await ctx.checkpoint("second", async () => {
        if (ctx.input.fails) throw new Error("the second does not hold");
        return 2;
      });
      ctx.output("kept", [first, second]);
    },
  };
}

/** What modules should not do. */
const misbehaviours = {
  throws: () => {
    throw new Error("the mast is broken");
  },
  exits: () => process.exit(3),
  hangs: () => {
    for (;;);
  },
  waits: (ctx) =>
    new Promise((_done, fail) => ctx.signal.addEventListener("abort", () => fail(ctx.signal.reason))),
  eats: () => {
    const all = [];
    for (;;) all.push(Array.from({ length: 10_000 }, () => ({})));
  },
  writes: (ctx) => writeFile(join(ctx.workspacePath, "..", "outside.txt"), "x"),
  starts: () =>
    new Promise((done, fail) => {
      spawn("true").on("error", fail).on("close", done);
    }),
  puts: (ctx) => ctx.output("large", "x".repeat(2_000_000)),
};

export const misbehave = {
  id: "ship:misbehave",
  schema: { input: { type: "object", properties: { how: text } } },
  handler: (ctx) => misbehaviours[ctx.input.how](ctx),
};
