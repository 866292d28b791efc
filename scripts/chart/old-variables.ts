/** Variables of older releases, as the chart reads them: charts/plinth/files/old-variables.json. */
import { renamedVariables, type NewName } from "../../src/platform/config/renames.ts";

export const oldVariables = (): string =>
  `${JSON.stringify(
    renamedVariables.map(({ old, now, beside }) => ({
      old,
      now: now.map(({ name }) => name),
      beside,
      instead: now.map(inWords).join(" or "),
    })),
    null,
    2,
  )}\n`;

const inWords = ({ name, of }: NewName): string => (of === undefined ? name : `${name} (${of})`);
