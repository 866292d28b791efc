import { expect, it } from "vitest";
import { collectGarbage } from "./support/collect-garbage.ts";
import { startWholeServer } from "./support/server.ts";

const megabytesInUse = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const startAndClose = async (): Promise<void> => (await startWholeServer()).close();

it("a server that is closed leaves nothing in memory", async () => {
  for (let n = 0; n < 2; n++) await startAndClose();
  const before = megabytesInUse();
  for (let n = 0; n < 5; n++) await startAndClose();
  // One that stays is eight megabytes; what has just been closed may need some collections.
  await expect.poll(() => megabytesInUse() - before).toBeLessThan(8);
});
