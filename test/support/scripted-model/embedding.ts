/**
 * The scripted model as an embedder: words become places of a vector, and texts with words in common are near to each other.
 * Speaks the protocols of OpenAI, Google and Bedrock's Titan.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Embedding {
  /** Every text that was sent, in order. */
  inputs: string[];
  /** Words that mean the same as another one. */
  synonyms: Record<string, string>;
  /** Answers with that status instead. */
  status?: number | undefined;
  /** Refuses texts in which it finds this, as too long. */
  refuses?: RegExp | undefined;
  /** Before each answer. */
  delayMs?: number | undefined;
}

const dimensions = 256;

export async function embed(
  { url = "" }: IncomingMessage,
  response: ServerResponse,
  { raw, embedding }: { raw: any; embedding: Embedding },
): Promise<void> {
  const texts = textsOf(raw);
  embedding.inputs.push(...texts);
  if (embedding.delayMs !== undefined) await new Promise((done) => setTimeout(done, embedding.delayMs));
  const send = (status: number, body: unknown): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (embedding.status !== undefined) {
    return send(embedding.status, { error: { message: `Scripted ${embedding.status}.` } });
  }
  if (texts.some((text) => embedding.refuses?.test(text))) {
    return send(400, { error: { message: "This exceeds the maximum context length." } });
  }
  const vectors = texts.map((text) => vectorOf(text, embedding));
  send(200, bodyOf(url, vectors));
}

function textsOf(raw: any): string[] {
  if (raw.inputText !== undefined) return [raw.inputText];
  if (raw.content !== undefined) return [raw.content.parts[0].text];
  if (raw.requests !== undefined) return raw.requests.map((each: any) => each.content.parts[0].text);
  return [raw.input ?? ""].flat();
}

function bodyOf(url: string, vectors: number[][]): object {
  if (url.endsWith(":batchEmbedContents")) return { embeddings: vectors.map((values) => ({ values })) };
  if (url.endsWith(":embedContent")) return { embedding: { values: vectors[0] } };
  if (url.endsWith("/invoke")) return { embedding: vectors[0], inputTextTokenCount: 1 };
  const data = vectors.map((vector, index) => ({ object: "embedding", index, embedding: vector }));
  return { object: "list", data, model: "scripted", usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function vectorOf(text: string, { synonyms }: Embedding): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = createHash("sha256")
      .update(synonyms[word] ?? word)
      .digest()
      .readUInt16BE(0);
    vector[place % dimensions]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((part) => part / length);
}
