import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import type { Tone } from "../../app/theme/colours.ts";
import { wordsOf } from "./text.ts";
import classes from "./status.module.css";

const tones: Record<Exclude<Tone, "gray">, readonly string[]> = {
  good: [
    "DEPLOYED",
    "SUCCEEDED",
    "COMPLETED",
    "OK",
    "APPROVED",
    "ACTIVE",
    "COMPLIANT",
    "ENABLED",
    "DELIVERED",
    "SENT",
    "ANSWERING",
    "NONE",
    "GRANTED",
    "ALLOW",
  ],
  accent: [
    "RUNNING",
    "PROVISIONING_IN_PROGRESS",
    "PROCESSING",
    "TERMINATING",
    "SCHEDULED",
    "QUEUED",
    "IN_PROGRESS",
    "APPLYING",
  ],
  warn: [
    "PARTIALLY_DEPLOYED",
    "WAITING",
    "PENDING",
    "WARNING",
    "WARN",
    "UNKNOWN",
    "SLOW",
    "HELD",
    "DRIFTED",
    "EXPIRED",
    "REQUESTED",
    "GRACE",
    "APPROVAL",
  ],
  bad: [
    "CORRUPT",
    "FAILED",
    "ERROR",
    "KO",
    "REFUSED",
    "REJECTED",
    "FAILING",
    "NOT_COMPLIANT",
    "UNHEALTHY",
    "DENY",
    "DEAD",
  ],
};

/** Shapes differ as well as colours, so that neither has to be told apart alone. */
const glyphs: Record<Tone, string> = { good: "✓", accent: "◐", warn: "▲", bad: "✕", gray: "○" };

/** Where the word in plain letters is long or says little. */
const words: Record<string, string> = {
  PROVISIONING_IN_PROGRESS: "Provisioning",
  OK: "OK",
  KO: "Refused",
  DEAD: "Given up",
};

export const toneOf = (status: string): Tone => {
  const word = status.toUpperCase();
  const tone = Object.entries(tones).find(([, found]) => found.includes(word));
  return (tone?.[0] as Tone | undefined) ?? "gray";
};

/** The word of the interface in plain letters. */
export const statusText = (status: string): string => words[status.toUpperCase()] ?? wordsOf(status);

export interface StatusBadgeProps {
  /** The word of the interface, such as `PARTIALLY_DEPLOYED`. */
  status: string;
  /** In place of the word in plain letters. */
  children?: ReactNode;
  tone?: Tone;
}

export const StatusBadge = ({ status, children, tone = toneOf(status) }: StatusBadgeProps): ReactNode => (
  <Badge
    color={tone}
    // Beside a long name the word stays whole.
    miw="max-content"
    leftSection={
      <span aria-hidden className={tone === "accent" ? classes["working"] : undefined}>
        {glyphs[tone]}
      </span>
    }
  >
    {children ?? statusText(status)}
  </Badge>
);
