import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { sendPack } from "./own-repository.ts";

it("a program whose client went before there was anything to send is ended", async () => {
  const response = new PassThrough();
  response.destroy();
  await once(response, "close");
  const output = new PassThrough();
  output.write("objects");
  let isStopped = false;
  await sendPack({ output, stop: () => (isStopped = true) }, response);
  expect([isStopped, output.destroyed]).toEqual([true, true]);
});
