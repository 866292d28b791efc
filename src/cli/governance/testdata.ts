/** A folder of many policy files, of which one is wrong at first. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Ran } from "../testdata.ts";

export interface ManyFiles {
  /** Runs a `plinth` command in `folder` with an operator's token. The server has no policies named `many-<n>`. */
  plinth: (line: string) => Promise<Ran>;
  folder: string;
  count: number;
}

export async function expectManyApplied({ plinth, folder, count }: ManyFiles): Promise<void> {
  await mkdir(join(folder, "many"));
  const wrong = Math.floor(count * 0.7);
  const write = (n: number, assert: string): Promise<void> =>
    writeFile(
      join(folder, `many/${n}.yaml`),
      `id: many-${n}\nname: Numeral ${n}\nengine: cel\nresourceType: none\nspec: { assert: "${assert}" }\n`,
    );
  await Promise.all(
    Array.from({ length: count }, (_, n) => write(n, n === wrong ? "resource.name ==" : `1 < ${n + 2}`)),
  );
  const refused = await plinth("policy apply -f many --yes");
  expect([refused.code, refused.err]).toEqual([
    5,
    expect.stringContaining(`many/${wrong}.yaml spec.assert:1:17`),
  ]);
  expect((await plinth("policy list --search Numeral")).out).toBe("There are none.\n");

  await write(wrong, `1 < ${wrong + 2}`);
  const written = await plinth("policy apply -f many --yes");
  expect([written.code, written.err]).toEqual([0, ""]);
  expect(written.out.match(/^created /gm)).toHaveLength(count);
  const again = await plinth("policy apply -f many");
  expect(again).toEqual({ code: 0, err: "", out: `${count} policy files as on the server.\n` });
}
