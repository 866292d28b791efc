/** Pure: the secrets of a run that was forgotten with its end. */
import { keysOf } from "../form/json.ts";

/** Pointers of the first request: `/secrets/token`, `/values/password`. */
export const missingSecrets = ({ problems }: { problems: readonly { where: string }[] }): string[] =>
  problems.flatMap(({ where }) => {
    const [section, pointer] = keysOf(where);
    if (section === "secrets") return [where];
    return section === "secretValues" && pointer !== undefined ? [pointer] : [];
  });

/** The body of a retry, from what was typed for each pointer. */
export const bodyOf = (given: Readonly<Record<string, string>>) => {
  const entries = Object.entries(given);
  const named = entries.filter(([pointer]) => pointer.startsWith("/secrets/"));
  return {
    secrets: Object.fromEntries(named.map(([pointer, value]) => [keysOf(pointer)[1] ?? "", value])),
    secretValues: Object.fromEntries(entries.filter(([pointer]) => !pointer.startsWith("/secrets/"))),
  };
};
