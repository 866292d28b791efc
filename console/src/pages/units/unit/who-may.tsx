import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { shortReference } from "../names.ts";
import { unitQuery, whoMayQuery, type OwnedOperation, type WhoMay } from "./queries.ts";

export interface Permission {
  /** Shows the button. What the server decides in the end is its own matter. */
  isAllowed: boolean;
  /** What to say beside it or in its place; null: nothing. */
  note: string | null;
}

/** Whether the caller may do it here, by the rules of ownership; where it was never started, by the caller's roles alone. */
export const usePermission = (
  id: string,
  environment: string,
  operation: OwnedOperation,
  what: string,
): Permission => {
  const unit = useQuery(unitQuery(id)).data;
  const isKnown = unit?.environments.some((here) => here.environment === environment && here.known) ?? false;
  const rules = useQuery({ ...whoMayQuery(id, environment, operation), enabled: isKnown }).data;
  // Where it was never started the rules know nothing of it.
  const data = unit !== undefined && !isKnown ? null : rules;
  const isDeveloper = useHasRole("developer", "operator", "admin");
  if (!isDeveloper)
    return { isAllowed: false, note: `Developers and operators may ${what}.${whoText(data, what)}` };
  if (data === undefined || data === null) return { isAllowed: data === null, note: null };
  if (data.verdict === "deny") return { isAllowed: false, note: denied(data, what) };
  return {
    isAllowed: true,
    note: data.verdict === "approval" ? `${namesOf(data)} must approve it (${data.rule}).` : null,
  };
};

const namesOf = ({ whoMay, owners }: WhoMay): string => {
  const names = whoMay.length > 0 ? whoMay : owners;
  return names.length === 0 ? "Operators" : names.map(shortReference).join(", ");
};

const denied = (data: WhoMay, what: string): string =>
  `${namesOf(data)} and operators may ${what} in ${data.environment}, by the rule “${data.rule}”.`;

const whoText = (data: WhoMay | null | undefined, what: string): string =>
  data === null || data === undefined || data.verdict !== "deny" ? "" : ` ${denied(data, what)}`;

export const PermissionNote = ({ note }: Permission): ReactNode =>
  note !== null && (
    <Text size="xs" c="dimmed" component="p" m={0}>
      {note}
    </Text>
  );
