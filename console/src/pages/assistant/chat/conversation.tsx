import { Button, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { newRequestKey } from "../../../api/request-key.ts";
import { EmptyView, ErrorView, LoadingView } from "../../../parts/states/views.tsx";
import type { PageContext } from "../context/page-context.ts";
import { messagesQuery, modelQuery, showQuestion } from "../queries.ts";
import { pendingApprovals, type RunView } from "../run/run-view.ts";
import { startRun } from "../run/start-run.ts";
import { runsOf, type StoredRun } from "../run/stored-run.ts";
import { useRun } from "../run/use-run.ts";
import { Composer } from "./composer.tsx";
import { NoModel } from "./no-model.tsx";
import { RunItem } from "./run-item.tsx";
import { Starters } from "./starters.tsx";
import { clearAsked, useDraft } from "./draft.ts";
import { questionOf } from "../run/question.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import classes from "./chat.module.css";

export interface ConversationProps {
  /** null: a new one. */
  sessionId: string | null;
  /** A new conversation has got its session. */
  onSession: (sessionId: string) => void;
  agentId: string | null;
  onAgent: (id: string | null) => void;
  context: PageContext | null;
  onForgetContext: () => void;
  /** The field to write in takes the focus. */
  startsFocused?: boolean;
}

/** Questions and answers of one session, and where one asks. */
export const Conversation = (props: ConversationProps): ReactNode => {
  const { sessionId } = props;
  const query = useInfiniteQuery({ ...messagesQuery(sessionId ?? ""), enabled: sessionId !== null });
  const pages = query.data?.pages;
  // The same runs as long as the pages are the same, so that an answer which comes renders none of the others.
  const runs = useMemo(() => runsOf((pages ?? []).flatMap(({ messages }) => messages)), [pages]);
  if (sessionId !== null && query.data === undefined) {
    if (query.error === null) return <LoadingView label="Loading the conversation" />;
    return statusOf(query.error) === 404 ? (
      <EmptyView title="There is no such conversation" icon="chat">
        It was deleted, or it belongs to somebody else.
      </EmptyView>
    ) : (
      <ErrorView error={query.error} what="read this conversation" retry={() => void query.refetch()} />
    );
  }
  return (
    <Loaded
      {...props}
      runs={runs}
      earlier={query.hasPreviousPage ? () => void query.fetchPreviousPage() : null}
      isLoadingEarlier={query.isFetchingPreviousPage}
    />
  );
};

interface LoadedProps extends ConversationProps {
  runs: readonly StoredRun[];
  earlier: (() => void) | null;
  isLoadingEarlier: boolean;
}

const Loaded = (props: LoadedProps): ReactNode => {
  const { sessionId, agentId, context, runs, earlier, isLoadingEarlier } = props;
  const { text, setText } = useDraft(sessionId);
  const last = runs.at(-1);
  const { view, isAtWork, obstacle } = useLastRun(last ?? null);
  const asking = useAsking(props);
  const stopping = useStopping();
  const { list, end } = useStickToEnd(last?.runId ?? null);
  const { data: model } = useQuery(modelQuery);
  const hasNoModel = model?.provider === "";
  const { mutate } = asking;
  const ask = useCallback(
    (message: string): void => mutate({ message, sessionId, agentId, context, requestId: newRequestKey() }),
    [mutate, sessionId, agentId, context],
  );
  const failed = asking.error === null ? null : (asking.variables ?? null);
  return (
    <div className={classes["conversation"]}>
      <div ref={list} className={classes["runs"]}>
        {earlier !== null && (
          <Button onClick={earlier} loading={isLoadingEarlier} mx="auto">
            Show earlier questions
          </Button>
        )}
        {sessionId !== null &&
          runs.map((run) => (
            <RunItem key={run.runId} run={run} sessionId={sessionId} isLast={run === last} onAskAgain={ask} />
          ))}
        {hasNoModel ? (
          <NoModel />
        ) : (
          runs.length === 0 && <Starters context={props.context} onChoose={setText} />
        )}
        {failed !== null && (
          <ErrorView
            error={asking.error}
            what="ask the assistant"
            retry={() => mutate(failed)}
            kind="write"
          />
        )}
        {stopping.error !== null && <ErrorView error={stopping.error} what="stop the answer" />}
        <div ref={end} className={classes["end"]} />
      </div>
      <VisuallyHidden role="status">{announcement(view, isAtWork)}</VisuallyHidden>
      <Composer
        {...props}
        text={text}
        onText={setText}
        onSend={() => mutate(questionOf({ message: text.trim(), sessionId, agentId, context }, failed))}
        isSending={asking.isPending}
        obstacle={hasNoModel ? "There is no model that could answer." : obstacle}
        onStop={isAtWork && last !== undefined ? () => stopping.mutate(last.runId) : null}
        isStopping={stopping.isPending}
      />
    </div>
  );
};

const noRun = "none";
const nothing = (): void => undefined;

/** Whether the last run is at work, and why nothing further can be asked. */
const useLastRun = (
  last: StoredRun | null,
): { view: RunView; isAtWork: boolean; obstacle: string | null } => {
  // Followed by its own element; here it is only looked at.
  const { view } = useRun(last?.runId ?? noRun, false, nothing);
  const isAtWork = last !== null && last.answer === null && view.end === null;
  const waits = isAtWork && pendingApprovals(view).length > 0;
  return {
    view,
    isAtWork,
    obstacle: waits ? "The assistant waits for your decision above, or for you to stop it." : null,
  };
};

const announcement = (view: RunView, isAtWork: boolean): string => {
  if (isAtWork)
    return pendingApprovals(view).length > 0
      ? "The assistant needs your approval"
      : "The assistant is answering";
  if (view.end === null) return "";
  return view.end.kind === "answered" ? "The answer is complete" : "The answer has ended with an error";
};

const useAsking = ({ sessionId, onSession }: ConversationProps) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: startRun,
    async onSuccess(started, { message }) {
      showQuestion(queries, { ...started, question: message });
      clearAsked({ question: message, from: sessionId, to: started.sessionId });
      if (sessionId !== started.sessionId) onSession(started.sessionId);
      await queries.invalidateQueries({ queryKey: ["assistant", "sessions"] });
    },
  });
};

const useStopping = () =>
  useMutation({
    async mutationFn(runId: string) {
      try {
        await call(
          api.assistant.POST("/api/assistant/v2/runs/{run_id}/cancel", {
            params: { path: { run_id: runId } },
          }),
        );
      } catch (error) {
        // It has ended in the meantime, which its events say.
        if (statusOf(error) !== 409) throw error;
      }
    },
  });
