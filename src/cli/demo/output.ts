/** The output of the demo: numbered steps with measured times, or one JSON line per step with `--json`. */
import { printJsonLine, printLines, type Cli } from "../context.ts";
import type { Styles } from "../print/colors.ts";
import { duration } from "../print/text.ts";

export interface Stage {
  styles: Styles;
  width: number | undefined;
  isJson: boolean;
  /** Prints lines within a step; nothing with `--json`. */
  say(...lines: string[]): void;
  /** Runs a step: prints its title, its lines and its duration. The result goes into the JSON line. */
  step<T extends object>(name: string, title: string, work: () => Promise<T>): Promise<T>;
}

export const indent = 3;
const pad = " ".repeat(indent);

export function createStage(cli: Cli, isJson: boolean): Stage {
  const { out, now } = cli;
  const { styles } = out;
  let number = 0;
  return {
    styles,
    isJson,
    width: out.size()?.columns,
    say(...lines) {
      if (!isJson)
        printLines(
          out,
          lines.map((line) => (line === "" ? "" : pad + line)),
        );
    },
    async step(name, title, work) {
      number += 1;
      const startedAt = now();
      if (!isJson) printLines(out, ["", styles.strong(`${number}. ${title}`)]);
      const result = await work();
      cli.signal.throwIfAborted();
      const ms = now() - startedAt;
      if (isJson) printJsonLine(out, { step: name, ms: Math.round(ms), ...result });
      else printLines(out, [pad + styles.faint(`took ${duration(ms)}`)]);
      return result;
    },
  };
}
