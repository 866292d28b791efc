import { Badge, Group, Text, UnstyledButton } from "@mantine/core";
import { memo, useId, useState, type ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText, wordsOf } from "../../../parts/values/text.ts";
import { Duration } from "../../../parts/values/times.tsx";
import { ObjectLink } from "../links/object-link.tsx";
import { linksIn } from "../links/object-links.ts";
import { CodeBox } from "../markdown/code-box.tsx";
import { stateOf, workedMs, type CallBlock, type CallState } from "../run/run-view.ts";
import { callTitle, failureText, parsed, pretty } from "./call-texts.ts";
import classes from "./chat.module.css";

export interface ToolCallProps {
  call: CallBlock;
  /** The run goes on, so that a call without a result is at work. */
  isLive: boolean;
  /** In place of the call, once it is asked for. */
  approval: (call: CallBlock) => ReactNode;
}

/** One tool call or asked agent in a line; its arguments and its result below it when opened. */
export const ToolCall = memo(({ call, isLive, approval }: ToolCallProps): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const state = stateOf(call);
  const { title, subtitle } = callTitle(call);
  const links = linksIn(call.name, call.arguments, call.agent === null ? (call.result ?? "") : "");
  return (
    <li className={classes["call"]} data-state={state}>
      <div className={classes["callLine"]}>
        <UnstyledButton
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={id}
          className={classes["callButton"]}
        >
          <span className={classes["chevron"]} data-open={isOpen}>
            <Icon name="right" size={12} />
          </span>
          <span className={classes["callTitle"]}>{title}</span>
          <span className={classes["callSubtitle"]}>{subtitle}</span>
        </UnstyledButton>
        <span className={classes["callLinks"]}>
          {(isOpen ? links : links.slice(0, linksInLine)).map((link) => (
            <ObjectLink key={`${link.kind} ${link.id}`} link={link} />
          ))}
        </span>
        <CallStateView call={call} state={state} isLive={isLive} />
      </div>
      {state === "failed" && !isOpen && (
        <Text size="xs" c="bad" className={classes["callError"]}>
          {failureText(call.result ?? "")}
        </Text>
      )}
      {call.approval?.decision === "denied" && (
        <Text size="xs" c="dimmed" className={classes["callError"]}>
          You refused it{call.approval.reason === null ? "." : `: ${call.approval.reason}`}
        </Text>
      )}
      {call.approval?.edited != null && (
        <Text size="xs" c="dimmed" className={classes["callError"]}>
          You approved it with other arguments.
        </Text>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && <CallDetails call={call} />}
      </div>
      {call.calls.length > 0 && (
        <ul className={classes["calls"]} aria-label={`Calls of ${title}`}>
          {call.calls.map((inner) => (
            <ToolCall key={inner.id} call={inner} isLive={isLive} approval={approval} />
          ))}
        </ul>
      )}
      {call.approval?.decision === "pending" && isLive && approval(call)}
    </li>
  );
});

/** Of a list there are more, once it is opened. */
const linksInLine = 2;

const CallStateView = ({
  call,
  state,
  isLive,
}: {
  call: CallBlock;
  state: CallState;
  isLive: boolean;
}): ReactNode => {
  const ms = workedMs(call);
  if (state === "waiting") return isLive ? <StatusBadge status="WAITING">Waits for you</StatusBadge> : null;
  if (state === "working")
    return isLive ? (
      <Group gap={6} wrap="nowrap">
        {call.startedAt !== null && (
          <Text size="xs" c="dimmed" span>
            <Duration from={new Date(call.allowedAt ?? call.startedAt).toISOString()} to={null} />
          </Text>
        )}
        <StatusBadge status="RUNNING">Running</StatusBadge>
      </Group>
    ) : (
      <Badge color="gray">No result</Badge>
    );
  return (
    <Group gap={6} wrap="nowrap">
      {ms !== null && call.name !== "load_skill" && (
        <Text size="xs" c="dimmed" span className="tabular">
          {durationText(ms)}
        </Text>
      )}
      {state === "failed" && (
        <StatusBadge status="FAILED">{call.isDropped ? "Not made" : "Failed"}</StatusBadge>
      )}
      {state === "refused" && (
        <StatusBadge status="REFUSED">
          {call.approval?.decision === "expired" ? "No answer" : "Refused"}
        </StatusBadge>
      )}
      {state === "done" && <StatusBadge status="COMPLETED">Done</StatusBadge>}
    </Group>
  );
};

const CallDetails = ({ call }: { call: CallBlock }): ReactNode => (
  <div className={classes["callDetails"]}>
    <Text size="xs" c="dimmed">
      Arguments
    </Text>
    <CodeBox
      code={pretty(call.arguments === "" ? "{}" : call.arguments)}
      label={`Arguments of ${call.name}`}
    />
    {call.approval?.edited != null && (
      <>
        <Text size="xs" c="dimmed">
          As you approved them
        </Text>
        <CodeBox
          code={JSON.stringify(call.approval.edited, null, 2)}
          label={`Approved arguments of ${call.name}`}
        />
      </>
    )}
    {call.result !== null && <Result call={call} />}
  </div>
);

const shortChars = 3_000;

const Result = ({ call }: { call: CallBlock }): ReactNode => {
  const [isWhole, setWhole] = useState(false);
  const text = pretty(call.result ?? "");
  const isShort = text.length <= shortChars;
  return (
    <>
      <Text size="xs" c="dimmed">
        {call.agent === null ? "Result" : `Answer of ${call.agent}`}
        {parsed(call.result ?? "") === null ? "" : ", JSON"}
      </Text>
      <CodeBox
        code={isShort || isWhole ? text : `${text.slice(0, shortChars)}…`}
        label={`Result of ${wordsOf(call.name)}`}
      />
      {!isShort && (
        <UnstyledButton className={classes["more"]} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length.toLocaleString()} characters`}
        </UnstyledButton>
      )}
    </>
  );
};
