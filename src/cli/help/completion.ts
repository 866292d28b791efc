/** `plinth completion`: prints a script with which a shell completes commands, options and their values. */
import { Argument, type Command } from "commander";
import type { Cli, Run } from "../context.ts";
import { bashScript } from "./bash.ts";
import { commandTable } from "./command-table.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof scripts;

export function defineCompletion(program: Command, cli: Cli, run: Run): void {
  program
    .command("completion")
    .summary("print a completion script for a shell")
    .description(
      "Prints a script that completes commands, options and their values. bash: `source <(plinth completion bash)` in ~/.bashrc; zsh: " +
        "the same with zsh in ~/.zshrc, after compinit; fish: write it to ~/.config/fish/completions/plinth.fish.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .action((shell: Shell) =>
      run(async () => {
        cli.out.write(scripts[shell](commandTable(program)));
        return 0;
      }),
    );
}
