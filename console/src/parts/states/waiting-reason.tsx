import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../page/icon.tsx";
import { referenceText } from "../values/text.ts";
import { Duration, TimeLeft } from "../values/times.tsx";
import classes from "./waiting-reason.module.css";

export interface WaitingReasonProps {
  /** Why it waits, as the server says it. */
  reason: string;
  since?: string | null;
  /** Who can act: entity references, or words such as "operators". Empty: nobody has to. */
  who?: readonly string[];
  /** When it ends by itself; null: it has no end. Undefined: not known. */
  until?: string | null;
  /** What comes next, or what happens then. */
  next?: string | null;
  /** The buttons with which the reader can act. */
  children?: ReactNode;
}

/** Why something waits, who can act, and until when: always all three. */
export const WaitingReason = ({
  reason,
  since,
  who,
  until,
  next,
  children,
}: WaitingReasonProps): ReactNode => (
  <div className={classes["box"]}>
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text c="warn" component="span" mt={2}>
        <Icon name="clock" />
      </Text>
      <Stack gap={2} className={classes["words"]}>
        <Text size="sm" fw={600}>
          {reason}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {since !== undefined && since !== null && (
            <span className={classes["part"]}>
              waits for <Duration from={since} to={null} />
            </span>
          )}
          <span className={classes["part"]}>
            {who === undefined || who.length === 0
              ? "nobody has to act"
              : `can act: ${who.map(referenceText).join(", ")}`}
          </span>
          <span className={classes["part"]}>
            {until === undefined || until === null ? "no deadline" : <TimeLeft until={until} />}
          </span>
        </Text>
        {next !== undefined && next !== null && (
          <Text size="xs" c="dimmed">
            Then: {next}
          </Text>
        )}
        {children !== undefined && (
          <Group gap="xs" mt={4}>
            {children}
          </Group>
        )}
      </Stack>
    </Group>
  </div>
);
