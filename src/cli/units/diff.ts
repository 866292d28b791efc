import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import { unknownUnit } from "../client/unknown.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import type { Styles } from "../print/colors.ts";
import { shortenIds } from "../print/short-ids.ts";
import { renderTable } from "../print/table.ts";
import { count, oneLine } from "../print/text.ts";

interface DiffOptions extends ServerOptions {
  environment: string;
  with: string;
  exitCode?: boolean;
}

interface Sides {
  environment: string;
  otherEnvironment: string;
}

interface UnitDiff extends Sides {
  identical: boolean;
  components: {
    componentId: string;
    result: string;
    status: Sides;
    descriptorVersion: Sides;
    changedFields: { field: string; environment?: unknown; otherEnvironment?: unknown }[];
    hasMoreChangedFields: boolean;
  }[];
}

export function defineDiff(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("diff")
    .summary("compare a unit between two environments")
    .description(
      "Says of each component whether it is deployed in both environments, and what differs: status, version, fields. Values of " +
        "secrets are masked by the server. Ends with 0 also when there are differences, or with --exit-code with 5.",
    )
    .argument("<unit>", "id of the deployment unit")
    .requiredOption("-e, --environment <name>", "the one environment")
    .requiredOption("--with <name>", "the other environment")
    .option("--exit-code", "end with 5 when there is a difference");
  withServer(command).action((unit: string, options: DiffOptions) => run(() => diff(cli, unit, options)));
}

async function diff(cli: Cli, unit: string, options: DiffOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { body } = await callServer<UnitDiff>(server, {
    method: "GET",
    path: `/api/coordinator/v1/deployment-units/${encodeURIComponent(unit)}/diff`,
    query: { environment: options.environment, "other-environment": options.with },
  });
  // A unit of which nothing was ever deployed has no components to compare.
  if (body.components.length === 0) {
    const environments = [options.environment, options.with];
    const unknown = await unknownUnit(server, { unit, environments });
    if (unknown !== undefined) throw unknown;
  }
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, diffLines(body, { styles: cli.out.styles, width: cli.out.size()?.columns }));
  return options.exitCode && !body.identical ? exitCodes.findings.code : exitCodes.ok.code;
}

/** Changed fields that are shown of one component; --json has them all. */
const maxFields = 20;

function diffLines(
  found: UnitDiff,
  { styles, width }: { styles: Styles; width: number | undefined },
): string[] {
  const { environment, otherEnvironment, components } = found;
  if (components.length === 0) return ["Nothing is deployed in either environment."];
  const ids = shortenIds(components.map(({ componentId }) => componentId));
  const sides = (each: Sides): [string, string] => [
    oneLine(each.environment),
    oneLine(each.otherEnvironment),
  ];
  const rows = components.map(({ componentId, result, status, descriptorVersion, changedFields }) => {
    const [one, other] = sides(status);
    const [version, otherVersion] = sides(descriptorVersion);
    const paint = result === "IDENTICAL" ? styles.faint : styles.attention;
    return [
      oneLine(ids.short(componentId)),
      { text: oneLine(result), paint },
      `${one} ${version}`.trim(),
      `${other} ${otherVersion}`.trim(),
      changedFields.length === 0 ? "" : String(changedFields.length),
    ];
  });
  const columns = [
    { title: "COMPONENT", shrinks: "middle" as const },
    { title: "RESULT" },
    { title: oneLine(environment).toUpperCase() },
    { title: oneLine(otherEnvironment).toUpperCase() },
    { title: "FIELDS", align: "right" as const },
  ];
  const different = components.filter(({ result }) => result !== "IDENTICAL").length;
  return [
    ...renderTable(columns, rows, { width, paintTitle: styles.faint }),
    ...components.flatMap((each) => fieldLines(each, ids.short(each.componentId))),
    styles.faint(
      found.identical
        ? "No differences."
        : `${count(different, "component")} of ${components.length} differ.`,
    ),
  ];
}

function fieldLines(
  { changedFields, hasMoreChangedFields }: UnitDiff["components"][number],
  id: string,
): string[] {
  if (changedFields.length === 0) return [];
  const left = changedFields.length - maxFields;
  const more = hasMoreChangedFields ? "there are more" : left > 0 ? `and ${left} more` : "";
  return [
    "",
    `${oneLine(id)}:`,
    ...changedFields
      .slice(0, maxFields)
      .map(
        ({ field, environment, otherEnvironment }) =>
          `  ${oneLine(field)}: ${show(environment)} → ${show(otherEnvironment)}`,
      ),
    ...(more === "" ? [] : [`  ${more}; --json has all that the server compared`]),
    "",
  ];
}

/** An absent value is one that the field has in the other environment only. */
const show = (value: unknown): string => (value === undefined ? "(absent)" : oneLine(JSON.stringify(value)));
