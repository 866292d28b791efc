/** Reads Server-Sent Events. */

export interface StreamEvent {
  id: string | undefined;
  type: string;
  data: string;
}

/** Longest event: a server that never ends a record must not fill the memory. */
const maxEventChars = 16 * 1024 * 1024;

export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onComment: () => void = () => undefined,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let draft = emptyDraft();
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A line may end with CR LF, so a CR at the end of a chunk waits for its LF.
    const lines = rest.split(/\r\n|\n|\r(?=[^\n])/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith(":")) onComment();
      else if (line !== "") addLine(draft, line);
      else if (draft.data.length > 0) {
        yield { id: draft.id, type: draft.type || "message", data: draft.data.join("\n") };
        draft = emptyDraft();
      } else draft = emptyDraft();
    }
    if (rest.length + draft.chars > maxEventChars)
      throw new Error("The server sent an event without an end.");
  }
}

interface Draft {
  id: string | undefined;
  type: string;
  data: string[];
  chars: number;
}

const emptyDraft = (): Draft => ({ id: undefined, type: "", data: [], chars: 0 });

function addLine(draft: Draft, line: string): void {
  const colon = line.indexOf(":");
  const field = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
  draft.chars += line.length;
  if (field === "data") draft.data.push(value);
  else if (field === "event") draft.type = value;
  else if (field === "id") draft.id = value;
}
