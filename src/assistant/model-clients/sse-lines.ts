/** Pure: Server-Sent Events out of bytes that arrive in pieces of any size. */

export interface LineReader {
  /** The data of the lines that this piece completes. */
  push(piece: Buffer): string[];
}

/** Only `data` lines count for us: each record of a model is one. Longer lines than `maxChars` throw a RangeError. */
export function dataLines(maxChars: number): LineReader {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    push(piece) {
      const text = rest + decoder.decode(piece, { stream: true });
      const found: string[] = [];
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        if (text.startsWith("data:", start)) found.push(text.slice(start + 5, end).trim());
        start = end + 1;
      }
      rest = text.slice(start);
      if (rest.length > maxChars) throw new RangeError("a line is too long");
      return found;
    },
  };
}
