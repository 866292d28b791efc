/** Values of the literals of an expression, from their text. */
import { CelSyntaxError } from "./expr.ts";
import { uintOf, type Value } from "../values.ts";

export function numberLiteral(text: string, start: number): Value {
  const isUnsigned = /[uU]$/.test(text);
  const digits = isUnsigned ? text.slice(0, -1) : text;
  if (!isUnsigned && /^-?\d*(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits) && /[.eE]/.test(digits))
    return Number(digits);
  try {
    const value = digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
    if (isUnsigned) return uintOf(value);
    if (BigInt.asIntN(64, value) === value) return value;
  } catch {
    // Refused below.
  }
  throw new CelSyntaxError(`${text} is not a number that fits`, start);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "?": "?",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** The text of a literal with its prefix and quotes, for example `br"""…"""`. */
export function textLiteral(text: string, start: number): string | Uint8Array {
  const prefix = /^[a-zA-Z]*/.exec(text)![0].toLowerCase();
  const quoted = text.slice(prefix.length);
  const width = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width);
  const isBytes = prefix.includes("b");
  if (prefix.includes("r")) return isBytes ? bytesOf(inner) : inner;
  return isBytes ? unescapedBytes(inner, start) : unescapedText(inner, start);
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const escape =
  /\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|)/gs;

function unescapedText(inner: string, start: number): string {
  return inner.replace(escape, (whole: string, ...groups: (string | undefined)[]) => {
    const [simple, hex, short, long, octal] = groups;
    if (simple !== undefined) return simpleEscapes[simple]!;
    const code = codeOf({ hex: hex ?? short ?? long, octal });
    const isSurrogate = code !== undefined && code >= 0xd8_00 && code <= 0xdf_ff;
    if (code === undefined || code > 0x10_ff_ff || isSurrogate) throw badEscape(whole, start);
    return String.fromCodePoint(code);
  });
}

function unescapedBytes(inner: string, start: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const match of inner.matchAll(escape)) {
    const [whole, simple, hex, short, long, octal] = match;
    const code = simple === undefined ? codeOf({ hex, octal }) : simpleEscapes[simple]!.codePointAt(0)!;
    if (code === undefined || short !== undefined || long !== undefined) throw badEscape(whole, start);
    parts.push(bytesOf(inner.slice(from, match.index)), new Uint8Array([code]));
    from = match.index + whole.length;
  }
  parts.push(bytesOf(inner.slice(from)));
  return new Uint8Array(Buffer.concat(parts));
}

const codeOf = ({
  hex,
  octal,
}: {
  hex?: string | undefined;
  octal?: string | undefined;
}): number | undefined => {
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
};

const badEscape = (whole: string, start: number): CelSyntaxError =>
  new CelSyntaxError(`The text has an escape that does not exist here: ${whole}`, start);
