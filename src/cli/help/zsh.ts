/** Pure. The completion script for zsh; it is read by \`source\` as well as from a directory of \`fpath\`. */
import { allEntries, type CommandEntry } from "./command-table.ts";
import { nameOf, namesOf, placeOf, plain, quoted, valuedOptions } from "./positions.ts";

export function zshScript(root: CommandEntry): string {
  const entries = allEntries(root);
  const valued = valuedOptions(root);
  const places = entries.filter(({ path }) => path !== "").map((entry) => quoted(placeOf(entry)));
  const withChoices = valued.filter(({ value }) => value.choices.length > 0);
  const withFile = valued.filter(({ value }) => value.isFile);
  return `#compdef plinth
# Completion of plinth for zsh. Written by \`plinth completion zsh\`.
_plinth() {
  local place="" word
  local -i i
  local -a commands options files
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if _plinth_takes_value "$place \${words[i-1]}"; then continue; fi
    case "$place/$word" in
      (${places.join("|")}) place="$place/$word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${withChoices.map(({ key, value }) => `    (${quoted(key)}) compadd -- ${value.choices.map(quoted).join(" ")}; return ;;`).join("\n")}
    (${withFile.map(({ key }) => quoted(key)).join("|")}) _files; return ;;
  esac
  if _plinth_takes_value "$place \${words[CURRENT-1]}"; then return; fi
  case "$place" in
${entries.map((entry) => caseOf(entry)).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option options
  elif (( \${#commands} )); then _describe command commands
  elif (( \${#files} )); then _files
  fi
}

_plinth_takes_value() {
  case "$1" in
    (${valued.map(({ key }) => quoted(key)).join("|")}) return 0 ;;
  esac
  return 1
}

if [[ \${funcstack[1]} == _plinth ]]; then _plinth "$@"; else compdef _plinth plinth; fi
`;
}

function caseOf(entry: CommandEntry): string {
  const commands =
    entry.children.length > 0
      ? entry.children.map((child) => described(nameOf(child), child.summary))
      : (entry.argument?.choices ?? []).map(quoted);
  const options = entry.options.flatMap((option) =>
    namesOf(option).map((name) => described(name, option.description)),
  );
  const parts = [
    `commands=(${commands.join(" ")})`,
    `options=(${options.join(" ")})`,
    ...(entry.argument?.isFile ? ["files=(1)"] : []),
  ];
  return `    (${quoted(placeOf(entry))}) ${parts.join("; ")} ;;`;
}

/** \`name:description\`, in which only the first colon divides. */
const described = (name: string, description: string): string => quoted(`${name}:${plain(description)}`);
