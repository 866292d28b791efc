import { Button, Code, Group, List, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { PlinthError } from "plinth-client";
import { ApiError, statusOf } from "../../api/error.ts";
import { useSignal } from "../../api/signal.ts";
import { Icon, type IconName } from "../page/icon.tsx";
import { IdText } from "../values/id-text.tsx";
import { clockText } from "../values/text.ts";
import { timeFormat } from "../values/time-format.ts";
import { useNow } from "../values/times.tsx";
import { messageOf, type RequestKind } from "./messages.ts";
import classes from "./views.module.css";

/** Bars in the place of what comes; shown after a moment, so that a fast answer does not flicker. */
export const LoadingView = ({
  label = "Loading",
  lines = 4,
}: {
  label?: string;
  lines?: number;
}): ReactNode => (
  <div role="status" aria-label={label} className={classes["loading"]}>
    <Stack gap="xs">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={20} width={`${94 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  </div>
);

export interface EmptyViewProps {
  title: string;
  /** What would make it not empty. */
  children?: ReactNode;
  action?: ReactNode;
  icon?: IconName;
}

export const EmptyView = ({ title, children, action, icon = "inbox" }: EmptyViewProps): ReactNode => (
  <Stack align="center" gap={6} py="xl" px="md" className={classes["empty"]}>
    <Text c="dimmed" component="span">
      <Icon name={icon} size={28} />
    </Text>
    <Text fw={600}>{title}</Text>
    {children !== undefined && (
      <Text c="dimmed" size="sm" ta="center" maw="34rem" component="div">
        {children}
      </Text>
    )}
    {action}
  </Stack>
);

/** `who` says who may, such as "operators and the owners of the unit". */
export const ForbiddenView = ({
  what,
  who,
  error,
}: {
  what: string;
  who?: string;
  error?: unknown;
}): ReactNode => (
  <EmptyView title={`You may not ${what}`} icon="lock">
    {who !== undefined && <p className={classes["line"]}>Open to {who}.</p>}
    {error instanceof PlinthError && <p className={classes["line"]}>{error.message}</p>}
    {error instanceof PlinthError && error.solutions.map((each) => <p key={each}>{each}</p>)}
  </EmptyView>
);

export interface ErrorViewProps {
  error: unknown;
  /** What failed, as the rest of "Plinth could not …". */
  what: string;
  retry?: () => void;
  /** A read where there is a retry, unless given. */
  kind?: RequestKind;
}

/** What failed, where, what to do, and the id under which the server's log tells more. */
export const ErrorView = (props: ErrorViewProps): ReactNode => {
  const { error, what, retry, kind = retry === undefined ? "write" : "read" } = props;
  const refusal = error instanceof PlinthError ? error : undefined;
  return (
    <Paper role="alert" className={classes["error"]}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Text c="bad" component="span" mt={2}>
          <Icon name="warning" size={18} />
        </Text>
        <Stack gap="xs" className={classes["words"]}>
          <Title order={2}>Plinth could not {what}</Title>
          <Text size="sm">{messageOf(error, kind)}</Text>
          {refusal !== undefined && <Problems error={refusal} />}
          <Group gap="xs">
            {retry !== undefined && (
              <Button onClick={retry} leftSection={<Icon name="refresh" size={14} />}>
                Try again
              </Button>
            )}
            {refusal !== undefined && refusal.code !== "" && <Code>{refusal.code}</Code>}
            {refusal instanceof ApiError && refusal.requestId !== null && (
              <Text size="xs" c="dimmed" component="span">
                Request <IdText id={refusal.requestId} length={16} />
              </Text>
            )}
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
};

const Problems = ({ error: { problems, solutions, message } }: { error: PlinthError }): ReactNode => (
  <>
    {problems.some((problem) => problem.message !== message) && (
      <List size="sm" spacing={4}>
        {problems.map((problem) => (
          <List.Item key={`${problem.where} ${problem.message}`}>
            {problem.where !== "" && <Code mr={6}>{problem.where}</Code>}
            {problem.message}
          </List.Item>
        ))}
      </List>
    )}
    {solutions.map((solution) => (
      <Text key={solution} size="sm">
        <Text span fw={600}>
          What to do:{" "}
        </Text>
        {solution}
      </Text>
    ))}
  </>
);

/** Of useQuery and useInfiniteQuery alike. */
interface Query<T> {
  data: T | undefined;
  dataUpdatedAt: number;
  error: Error | null;
  isFetching: boolean;
  /** The list says so at its end. */
  isFetchNextPageError?: boolean;
  refetch: () => Promise<unknown>;
}

export interface LoadedProps<T> {
  query: Query<T>;
  /** As the rest of "Plinth could not …" and "You may not …". */
  what: string;
  /** Who may, where the server refuses. */
  who?: string;
  children: (data: T) => ReactNode;
}

/** The states of a query: what is read is shown as long as it is there. Where reading it again fails, a line above says how old it is. */
export const Loaded = <T,>({ query, what, who, children }: LoadedProps<T>): ReactNode => {
  const { data, error, refetch } = query;
  if (data !== undefined) {
    // The line comes and goes, and must not take what was typed below it along: the second child stays the second child.
    return (
      <>
        {error !== null && query.isFetchNextPageError !== true && <OldData query={query} error={error} />}
        {children(data)}
      </>
    );
  }
  if (error === null) return <LoadingView />;
  if (statusOf(error) === 403)
    return <ForbiddenView what={what} error={error} {...(who !== undefined && { who })} />;
  return <ErrorView error={error} what={what} retry={() => void refetch()} />;
};

const OldData = ({ query, error }: { query: Query<unknown>; error: Error }): ReactNode => {
  const { dataUpdatedAt, isFetching, refetch } = query;
  const isUtc = useSignal(timeFormat) === "utc";
  const now = useNow();
  return (
    <Group role="status" gap="xs" mb="xs" className={classes["old"]}>
      <Text size="sm" component="span">
        <Icon name="warning" size={14} /> Not read since{" "}
        <time dateTime={new Date(dataUpdatedAt).toISOString()}>{clockText(dataUpdatedAt, now, isUtc)}</time>.{" "}
        {messageOf(error, "read")}
      </Text>
      <Button size="compact-sm" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </Group>
  );
};
