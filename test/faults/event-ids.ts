/** The ids of the records of an event stream as they come; throws when it ends in the middle of one. */
export async function* readEventIds(
  body: ReadableStream<Uint8Array>,
  onRecord: () => void = () => undefined,
): AsyncGenerator<number> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    onRecord();
    const records = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = records.pop() ?? "";
    for (const record of records) {
      const id = /^id: (\d+)$/m.exec(record)?.[1];
      if (id !== undefined) yield Number(id);
    }
  }
  if (rest !== "") throw new Error("it ended in the middle of a record");
}
