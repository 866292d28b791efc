/**
 * `${NAME}` and `${NAME:-fallback}` inside a text; a fallback may itself hold `${…}`, and `$${` is a plain
 * `${`. A variable that is not set or is empty counts as not given. The value of a variable is not
 * substituted again, so it can neither grow without bound nor refer to itself.
 */
export interface Substitution {
  text: string;
  problems: string[];
}

const maxNesting = 10;
const maxLength = 65_536;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*/;

export const hasSubstitution = (text: string): boolean => text.includes("${");

export function substitute(text: string, env: Record<string, string | undefined>): Substitution {
  const problems: string[] = [];
  const result = readText(text, { ...atStart, env, problems, names: new Set() });
  if (result.length > maxLength) {
    return { text: "", problems: [`becomes longer than ${maxLength} characters`] };
  }
  return { text: result, problems };
}

/** Every variable that the text asks for, set or not. */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  readText(text, { ...atStart, env: {}, problems: [], names });
  return names;
}

const atStart = { position: 0, depth: 0, used: true };

interface Reader {
  env: Record<string, string | undefined>;
  problems: string[];
  names: Set<string>;
  position: number;
  depth: number;
  /** False inside a fallback that is not needed: its missing variables are not reported. */
  used: boolean;
}

function readText(text: string, reader: Reader): string {
  let out = "";
  while (reader.position < text.length) {
    const rest = text.slice(reader.position, reader.position + 3);
    if (rest === "$${") {
      out += "${";
      reader.position += 3;
    } else if (rest.startsWith("${")) {
      out += readReference(text, reader);
    } else if (rest.startsWith("}") && reader.depth > 0) {
      return out;
    } else {
      out += text[reader.position];
      reader.position += 1;
    }
  }
  return out;
}

function readReference(text: string, reader: Reader): string {
  reader.position += 2;
  const name = variableName.exec(text.slice(reader.position, reader.position + 256))?.[0];
  if (name === undefined || reader.depth >= maxNesting) {
    return giveUp(text, reader, name ? "nests ${…} too deeply" : "has a ${…} without a variable name");
  }
  reader.position += name.length;
  reader.names.add(name);
  const value = Object.hasOwn(reader.env, name) ? reader.env[name] || undefined : undefined;
  if (text[reader.position] === "}") {
    reader.position += 1;
    if (value === undefined && reader.used) {
      reader.problems.push(`needs the environment variable ${name}, which is not set`);
    }
    return value ?? "";
  }
  if (!text.startsWith(":-", reader.position)) {
    return giveUp(text, reader, "has a ${…} that is neither ${NAME} nor ${NAME:-fallback}");
  }
  reader.position += 2;
  const inner: Reader = { ...reader, depth: reader.depth + 1, used: reader.used && value === undefined };
  const fallback = readText(text, inner);
  reader.position = inner.position;
  if (text[reader.position] !== "}") return giveUp(text, reader, "has a ${…} without its closing brace");
  reader.position += 1;
  return value ?? fallback;
}

function giveUp(text: string, reader: Reader, problem: string): string {
  if (!reader.problems.includes(problem)) reader.problems.push(problem);
  reader.position = text.length;
  return "";
}
