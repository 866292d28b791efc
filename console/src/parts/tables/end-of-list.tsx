import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../page/icon.tsx";
import { messageOf } from "../states/messages.ts";
import classes from "./end-of-list.module.css";
import type { NextPage } from "./next-page.ts";

/** Below a list that stopped at a failure: why, and the button that reads its next page. */
export const NextPageProblem = ({ next }: { next: NextPage }): ReactNode =>
  next.error !== null && (
    <Group role="alert" className={classes["line"]} gap="sm">
      <Text c="bad" component="span" size="sm">
        <Icon name="warning" size={14} /> Plinth has not read what comes next. {messageOf(next.error, "read")}
      </Text>
      <Button size="compact-sm" loading={next.isBeingRead} onClick={next.readNow}>
        Try again
      </Button>
    </Group>
  );

/** Below a table: what keeps its rows from being all, or from being new. */
export const EndOfTable = ({ next }: { next: NextPage }): ReactNode => (
  <>
    <NextPageProblem next={next} />
    <LongListNote next={next} />
  </>
);

/** Below a list with so many pages that it is not read again by itself. */
const LongListNote = ({ next }: { next: NextPage }): ReactNode =>
  next.error === null &&
  next.readAgain !== null && (
    <Group className={classes["line"]} gap="sm">
      <Text c="dimmed" component="span" size="sm">
        The list is long, so it does not follow what changes.
      </Text>
      <Button size="compact-sm" loading={next.isBeingReadAgain} onClick={next.readAgain}>
        Read it again
      </Button>
    </Group>
  );

/** Below a list that goes on when its reader says so. */
export const ShowMore = ({ next }: { next: NextPage }): ReactNode => (
  <>
    {next.isThere && next.error === null && (
      <Button mt="sm" loading={next.isBeingRead} onClick={next.readNow}>
        Show more
      </Button>
    )}
    <EndOfTable next={next} />
  </>
);
