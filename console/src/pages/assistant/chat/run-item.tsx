import { Anchor, Text, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { memo, useCallback, useMemo, useState, type ReactNode } from "react";
import { LiveBadge } from "../../../parts/states/connection.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { linksIn, type ObjectLink } from "../links/object-links.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { readAgain, runQuery } from "../queries.ts";
import { callsOf, type Block, type CallBlock, type RunView } from "../run/run-view.ts";
import { storedBlocks, type StoredRun } from "../run/stored-run.ts";
import { useRun } from "../run/use-run.ts";
import { RunEndView } from "./run-end.tsx";
import { ToolCall } from "./tool-call.tsx";
import classes from "./chat.module.css";

export interface RunItemProps {
  run: StoredRun;
  sessionId: string;
  /** Its events are read, as they say how it ended and what agents did; of older runs what is stored is enough. */
  isLast: boolean;
  onAskAgain: (question: string) => void;
}

/** A question and its answer, with what was done for it. */
export const RunItem = memo(({ run, sessionId, isLast, onAskAgain }: RunItemProps): ReactNode => {
  const queries = useQueryClient();
  const [isOpened, setOpened] = useState(false);
  const onEnd = useCallback(() => void readAgain(queries, sessionId), [queries, sessionId]);
  const { view, live } = useRun(run.runId, run.answer === null || isLast || isOpened, onEnd);
  const blocks = useMemo(() => blocksOf(run, view), [run, view]);
  const isLive = run.answer === null && view.end === null && live !== "ended";
  const calls = callsOf(blocks);
  const links = useMemo(() => linksOf(blocks), [blocks]);
  return (
    <section className={classes["run"]}>
      <h2 className={classes["question"]}>
        <VisuallyHidden>You asked: </VisuallyHidden>
        {run.question}
      </h2>
      {run.askedAt !== null && (
        <Text size="xs" c="dimmed" className={classes["askedAt"]}>
          <TimeAgo at={run.askedAt} />
        </Text>
      )}
      <div className={classes["answer"]}>
        <BlockList blocks={blocks} isLive={isLive} links={links} runId={run.runId} sessionId={sessionId} />
        {isLive && <Progress runId={run.runId} blocks={blocks} />}
        {isLive && (live === "reconnecting" || live === "failed") && <LiveBadge state={live} />}
        {view.end !== null && (
          <RunEndView end={view.end} runId={run.runId} onAskAgain={() => onAskAgain(run.question)} />
        )}
        {view.end === null && run.answer?.content === "" && (
          <Text size="sm" c="dimmed">
            It ended before it had written anything.
          </Text>
        )}
        {view.end === null && run.answer !== null && !isLast && calls.length > 0 && (
          <Anchor component="button" size="xs" onClick={() => setOpened(true)}>
            Show all that was done
          </Anchor>
        )}
      </div>
    </section>
  );
});

/** What is stored of a run that has ended, until all its events are there; those of an old run may be deleted. */
const blocksOf = ({ answer }: StoredRun, view: RunView): readonly Block[] => {
  if (answer === null) return view.blocks;
  const stored = storedBlocks(answer);
  const isComplete = view.end !== null && callsOf(view.blocks).length >= callsOf(stored).length;
  return isComplete ? view.blocks : stored;
};

const linksOf = (blocks: readonly Block[]): readonly ObjectLink[] =>
  callsOf(blocks).flatMap(({ name, arguments: given, result }) => linksIn(name, given, result ?? ""));

interface BlockListProps {
  blocks: readonly Block[];
  isLive: boolean;
  links: readonly ObjectLink[];
  runId: string;
  sessionId: string;
}

/** Calls that follow each other are one list. */
const BlockList = ({ blocks, isLive, links, runId, sessionId }: BlockListProps): ReactNode => {
  const approval = useCallback(
    (call: CallBlock) => <PendingApproval call={call} runId={runId} sessionId={sessionId} />,
    [runId, sessionId],
  );
  return groupsOf(blocks).map((group) => {
    const [first] = group;
    if (first === undefined) return null;
    if (first.kind === "text") return <AnswerText key={first.id} text={first.text} links={links} />;
    if (first.kind === "note")
      return (
        <Text key={first.id} size="sm" c="dimmed" role="note">
          {first.text}
        </Text>
      );
    return (
      <ul key={first.id} className={classes["calls"]} aria-label="Tool calls">
        {group.map(
          (block) =>
            block.kind === "call" && (
              <ToolCall key={block.id} call={block} isLive={isLive} approval={approval} />
            ),
        )}
      </ul>
    );
  });
};

const AnswerText = memo(({ text, links }: { text: string; links: readonly ObjectLink[] }): ReactNode => (
  <Markdown text={text} links={links} />
));

const groupsOf = (blocks: readonly Block[]): Block[][] => {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === "call" && last?.[0]?.kind === "call") last.push(block);
    else groups.push([block]);
  }
  return groups;
};

/** Asks for the schema of the arguments, and for their masked form. */
const PendingApproval = ({
  call,
  runId,
  sessionId,
}: {
  call: CallBlock;
  runId: string;
  sessionId: string;
}): ReactNode => {
  const { data } = useQuery(runQuery(runId));
  const asked = data?.approvals.find(({ id, status }) => id === call.approval?.id && status === "pending");
  // An answer from before the approval was asked for is read again.
  useQuery({ ...runQuery(runId), refetchInterval: asked === undefined ? 1000 : false });
  if (asked === undefined) return null;
  return (
    <ApprovalCard
      asked={{
        approvalId: asked.id,
        runId,
        sessionId,
        agents: asked.agents,
        server: asked.server,
        tool: asked.tool,
        arguments: asked.arguments,
        schema: asked.arguments_schema ?? null,
        since: asked.created_at,
        expiresAt: asked.expires_at,
        policyReasons: call.policyReasons,
      }}
    />
  );
};

/** What goes on while nothing is written: it thinks, or waits for a free place. */
const Progress = ({ runId, blocks }: { runId: string; blocks: readonly Block[] }): ReactNode => {
  const last = blocks.at(-1);
  const isQuiet = last === undefined;
  const { data } = useQuery({
    ...runQuery(runId),
    enabled: isQuiet,
    refetchInterval: isQuiet ? 2000 : false,
  });
  if (isQuiet && data?.status === "queued" && data.waiting !== null)
    return (
      <WaitingReason
        reason={`This question waits: ${data.waiting}`}
        who={[]}
        next="it is answered by itself."
      />
    );
  if (last?.kind === "call" && last.result === null) return null;
  return (
    <Text size="sm" c="dimmed" className={classes["thinking"]}>
      {last?.kind === "text" && last.isOpen ? "Writing" : "Thinking"}
    </Text>
  );
};
