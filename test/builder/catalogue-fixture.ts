/** A whole server with a catalogue whose file locations lie in a folder of the test. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import {
  send,
  startWholeServer,
  type Answer,
  type Call,
  type WholeServer,
  type WholeServerOptions,
} from "../support/server.ts";

export interface CatalogueFixture {
  server: WholeServer;
  config: Config;
  /** The folder that file locations may lie in. */
  folder: string;
  write: (path: string, text: string) => Promise<void>;
  remove: (path: string) => Promise<void>;
  catalog: (call: CatalogCall) => Promise<Answer>;
  /** Registers a file of the folder; the answer's body. */
  register: (target: string) => Promise<Answer>;
  /** Registers a large location and waits for the worker that reads it; the location as it is shown then. */
  takeIn: (target: string) => Promise<Answer["body"]>;
  /** How many entities the filter lets through. */
  count: (filter: string) => Promise<number>;
  close: () => Promise<void>;
}

export type CatalogCall = Call & { base?: string };

export async function startCatalogueFixture(
  options: {
    workers?: "on" | "off";
    refreshSeconds?: number;
    onConfig?: (config: Config) => void;
    replaced?: WholeServerOptions["replaced"];
  } = {},
): Promise<CatalogueFixture> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-catalogue-"));
  let used: Config | undefined;
  const server = await startWholeServer({
    workers: options.workers ?? "off",
    ...(options.replaced && { replaced: options.replaced }),
    configure(config) {
      const { catalogue } = config.mesh.builder;
      catalogue.folders = [folder];
      catalogue.refreshSeconds = options.refreshSeconds ?? 0;
      catalogue.readTimeoutMs = 20_000;
      options.onConfig?.(config);
      used = config;
    },
  });
  const catalog: CatalogueFixture["catalog"] = ({ base = "/api/catalog", ...call }) =>
    send(server.url + base, call);
  const register = (target: string): Promise<Answer> =>
    catalog({ method: "POST", path: "/locations", body: { type: "file", target } });
  return {
    server,
    config: used!,
    folder,
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    remove: (path) => rm(join(folder, path), { recursive: true }),
    catalog,
    register,
    async takeIn(target) {
      const registered = await register(target);
      expect(registered.status, registered.text.slice(0, 500)).toBe(201);
      const { location, entities } = registered.body;
      expect([location.refreshedAt, entities]).toEqual([null, []]);
      const read = () => catalog({ path: `/locations/${location.id}` });
      await expect.poll(async () => (await read()).body.refreshedAt).not.toBeNull();
      return (await read()).body;
    },
    count: async (filter) =>
      (await catalog({ path: `/entities/by-query?filter=${filter}&limit=0` })).body.totalItems,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const entityText = (kind: string, name: string, spec = "{}"): string =>
  `apiVersion: plinth.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;

export const namesOf = (entities: { metadata: { name: string } }[]): string[] =>
  entities.map(({ metadata }) => metadata.name);

/** Four resources, red and Blue in turn, ranked by their names, each second one of the same team. */
export async function registerFruit(fixture: CatalogueFixture): Promise<void> {
  const texts = ["apple", "Berry", "cherry", "date"].map((name, rank) => {
    const type = rank % 2 === 0 ? "red" : "Blue";
    return entityText("Resource", name, `{ type: ${type}, rank: ${rank}, owner: team-${rank % 2} }`);
  });
  await fixture.write("fruit.yaml", texts.join("---\n"));
  await fixture.register("fruit.yaml");
}
