/** The records of an event stream, each when it is whole. */
export async function* recordsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const records = (rest + chunk).split("\n\n");
    rest = records.pop() ?? "";
    yield* records;
  }
}
