/** Pure. The completion script for fish, from version 3 on. */
import { allEntries, type CommandEntry, type OptionEntry, type ValueEntry } from "./command-table.ts";
import { nameOf, placeOf, plain, valuedOptions } from "./positions.ts";

export function fishScript(root: CommandEntry): string {
  const entries = allEntries(root);
  const places = entries.filter(({ path }) => path !== "").map((entry) => fishQuoted(placeOf(entry)));
  return `# Completion of plinth for fish. Written by \`plinth completion fish\`.
set -g __plinth_places ${places.join(" ")}
set -g __plinth_valued ${valuedOptions(root)
    .map(({ key }) => fishQuoted(key))
    .join(" ")}

function __plinth_is_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l place ''
  set -l before ''
  for word in $words
    if not contains -- "$place $before" $__plinth_valued; and contains -- "$place/$word" $__plinth_places
      set place "$place/$word"
    end
    set before $word
  end
  test "$place" = "$argv[1]"
end

complete -c plinth -e
complete -c plinth -f
${entries.flatMap((entry) => linesOf(entry)).join("\n")}
`;
}

function linesOf(entry: CommandEntry): string[] {
  const start = `complete -c plinth -n ${fishQuoted(`__plinth_is_at ${fishQuoted(placeOf(entry))}`)}`;
  const { argument } = entry;
  return [
    ...entry.children.map(
      (child) => `${start} -a ${fishQuoted(nameOf(child))} -d ${fishQuoted(plain(child.summary))}`,
    ),
    ...(argument === undefined || entry.children.length > 0 ? [] : argumentLines(start, argument)),
    ...entry.options.map((option) => `${start} ${optionParts(option).join(" ")}`),
  ];
}

const argumentLines = (start: string, { choices, isFile }: ValueEntry): string[] =>
  choices.length > 0 ? [`${start} -a ${fishQuoted(choices.join(" "))}`] : isFile ? [`${start} -F`] : [];

function optionParts({ short, long, description, value }: OptionEntry): string[] {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    ...valueParts(value),
    `-d ${fishQuoted(plain(description))}`,
  ];
}

function valueParts(value: ValueEntry | undefined): string[] {
  if (value === undefined) return [];
  if (value.isFile) return ["-r -F"];
  return value.choices.length > 0 ? [`-x -a ${fishQuoted(value.choices.join(" "))}`] : ["-x"];
}

/** fish knows two escapes within single quotes. */
const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
