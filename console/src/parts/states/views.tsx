import { Button, Code, Group, List, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { PlinthError } from "plinth-client";
import { ApiError, isUnreachable, statusOf } from "../../api/error.ts";
import { Icon, type IconName } from "../page/icon.tsx";
import { IdText } from "../values/id-text.tsx";
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
}

/** What failed, where, what to do, and the id under which the server's log tells more. */
export const ErrorView = ({ error, what, retry }: ErrorViewProps): ReactNode => {
  const refusal = error instanceof PlinthError ? error : undefined;
  return (
    <Paper role="alert" className={classes["error"]}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Text c="bad" component="span" mt={2}>
          <Icon name="warning" size={18} />
        </Text>
        <Stack gap="xs" className={classes["words"]}>
          <Title order={2}>Plinth could not {what}</Title>
          <Text size="sm">{messageOf(error)}</Text>
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

const messageOf = (error: unknown): string => {
  if (isUnreachable(error))
    return "The server did not answer. It is asked again as soon as it can be reached.";
  return error instanceof Error ? error.message : String(error);
};

/** Of useQuery and useInfiniteQuery alike. */
interface Query<T> {
  data: T | undefined;
  error: Error | null;
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

/** The states of a query: what is read is shown as long as it is there, even when reading it again fails. */
export const Loaded = <T,>({ query, what, who, children }: LoadedProps<T>): ReactNode => {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <LoadingView />;
  if (statusOf(error) === 403)
    return <ForbiddenView what={what} error={error} {...(who !== undefined && { who })} />;
  return <ErrorView error={error} what={what} retry={() => void refetch()} />;
};
