/** Pure. The completion script for bash, from version 3.2 on. */
import { allEntries, type CommandEntry } from "./command-table.ts";
import { nameOf, namesOf, placeOf, quoted, valuedOptions } from "./positions.ts";

export function bashScript(root: CommandEntry): string {
  const entries = allEntries(root);
  const valued = valuedOptions(root);
  const places = entries.filter(({ path }) => path !== "").map((entry) => quoted(placeOf(entry)));
  const withChoices = valued.filter(({ value }) => value.choices.length > 0);
  const withFile = valued.filter(({ value }) => value.isFile);
  return `# Completion of plinth for bash. Written by \`plinth completion bash\`.
_plinth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place="" word i
  local IFS=$'\\n'
  COMPREPLY=()
  # bash divides --option=value into three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if _plinth_takes_value "$place \${COMP_WORDS[i-1]}"; then continue; fi
    case "$place/$word" in
      ${places.join("|")}) place="$place/$word" ;;
    esac
  done
  case "$place $prev" in
${withChoices.map(({ key, value }) => `    ${quoted(key)}) COMPREPLY=($(compgen -W ${quoted(value.choices.join("\n"))} -- "$cur")); return ;;`).join("\n")}
    ${withFile.map(({ key }) => quoted(key)).join("|")}) _plinth_files; return ;;
  esac
  if _plinth_takes_value "$place $prev"; then return; fi
  local commands="" options="" files=""
  case "$place" in
${entries.map((entry) => caseOf(entry)).join("\n")}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $commands ]]; then COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  elif [[ -n $files ]]; then _plinth_files
  fi
}

_plinth_takes_value() {
  case "$1" in
    ${valued.map(({ key }) => quoted(key)).join("|")}) return 0 ;;
  esac
  return 1
}

_plinth_files() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}

complete -F _plinth plinth
`;
}

function caseOf(entry: CommandEntry): string {
  const words = entry.children.length > 0 ? entry.children.map(nameOf) : (entry.argument?.choices ?? []);
  const parts = [
    `commands=${quoted(words.join("\n"))}`,
    `options=${quoted(entry.options.flatMap(namesOf).join("\n"))}`,
    ...(entry.argument?.isFile ? ["files=1"] : []),
  ];
  return `    ${quoted(placeOf(entry))}) ${parts.join("; ")} ;;`;
}
