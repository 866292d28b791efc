import { Group, Text, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { Duration } from "../../../parts/values/times.tsx";
import classes from "./choices.module.css";

export interface Choice {
  name: string;
  /** Below the name. */
  about?: ReactNode;
  pending: number;
  dead: number;
  oldestPendingAt: string | null;
  /** It gets nothing at the moment. */
  isStopped?: boolean;
}

export interface ChoicesProps {
  label: string;
  choices: readonly Choice[];
  chosen: string | undefined;
  onChoose: (name: string | undefined) => void;
}

/** Receivers with what waits for each and what was given up; a press shows one's alone. */
export const Choices = ({ label, choices, chosen, onChoose }: ChoicesProps): ReactNode => (
  <ul aria-label={label} className={classes["choices"]}>
    {choices.map(({ name, about, ...numbers }) => (
      <li key={name}>
        <UnstyledButton
          className={classes["choice"]}
          aria-pressed={chosen === name}
          onClick={() => onChoose(chosen === name ? undefined : name)}
        >
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" fw={550} truncate>
              {name}
            </Text>
            <Standing {...numbers} />
          </Group>
          {about !== undefined && (
            <Text size="xs" c="dimmed" component="div" truncate>
              {about}
            </Text>
          )}
          {numbers.pending > 0 && (
            <Text size="xs" c="dimmed" component="div">
              {numbers.pending} waiting, the oldest for <Duration from={numbers.oldestPendingAt} to={null} />
            </Text>
          )}
        </UnstyledButton>
      </li>
    ))}
  </ul>
);

const Standing = ({ pending, dead, isStopped }: Omit<Choice, "name" | "about">): ReactNode => {
  if (isStopped === true) return <StatusBadge status="FAILED">Stopped</StatusBadge>;
  if (dead > 0) return <StatusBadge status="FAILED">{dead} given up</StatusBadge>;
  if (pending > 0) return <StatusBadge status="RUNNING">Sending</StatusBadge>;
  return <StatusBadge status="OK">All sent</StatusBadge>;
};
