/** Embedders of known quality, as one server that speaks OpenAI's protocol: the name of the model says which. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const dimensions = 256;
/** The part of texts that the ideal embedder misunderstands. */
const misunderstood = 0.1;

export interface TestEmbedders {
  url: string;
  /** What the ideal embedder knows: texts that mean the same as a passage, which is given whole. */
  meanings: Map<string, string>;
  close(): void;
}

export async function startTestEmbedders(): Promise<TestEmbedders> {
  const meanings = new Map<string, string>();
  const embed: Record<string, (text: string) => number[]> = {
    random: vectorOf,
    words: bagOfWords,
    ideal: (text) => {
      const meant = meanings.get(text) ?? meanings.get(longestWithin(text, meanings.keys()));
      return meant === undefined || numberOf(text) < misunderstood ? vectorOf(text) : vectorOf(meant);
    },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const { model, input } = JSON.parse(body) as { model: string; input: string | string[] };
      const data = [input].flat().map((text, index) => ({ index, embedding: embed[model]?.(text) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    meanings,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const longestWithin = (text: string, known: Iterable<string>): string =>
  [...known].reduce((best, each) => (each.length > best.length && text.includes(each) ? each : best), "");

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
const numberOf = (text: string): number => digestOf(text).readUInt32LE(0) / 2 ** 32;

/** A vector that only this text has. */
function vectorOf(text: string): number[] {
  const vector: number[] = [];
  for (let n = 0; vector.length < dimensions; n += 1)
    vector.push(...[...digestOf(`${n} ${text}`)].map((byte) => byte - 127.5));
  return vector;
}

/** A place for each word, as common as it may be: texts are near to each other that are worded alike. */
function bagOfWords(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = digestOf(word).readUInt16LE(0) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
