/** Pure. What the completion scripts of all shells need to know of the commands. */
import { allEntries, type CommandEntry, type OptionEntry, type ValueEntry } from "./command-table.ts";

/** The place of a command as the scripts write it: `/access/request`, and an empty text for the program itself. */
export const placeOf = ({ path }: CommandEntry): string =>
  path === "" ? "" : `/${path.replaceAll(" ", "/")}`;

export const namesOf = ({ short, long }: OptionEntry): string[] =>
  short === undefined ? [long] : [short, long];

export const nameOf = ({ path }: CommandEntry): string => path.slice(path.lastIndexOf(" ") + 1);

/** `<place> <option>` of every option with a value: the word after it is no command. */
export const valuedOptions = (root: CommandEntry): { key: string; value: ValueEntry }[] =>
  allEntries(root).flatMap((entry) =>
    entry.options.flatMap((option) => {
      const { value } = option;
      return value === undefined
        ? []
        : namesOf(option).map((name) => ({ key: `${placeOf(entry)} ${name}`, value }));
    }),
  );

/** In single quotes, as bash and zsh read them. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The texts of descriptions on one line. */
export const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
