import { Alert, Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import type { RunEnd, RunUse } from "../run/run-view.ts";
import { runErrorOf } from "./run-errors.ts";
import classes from "./chat.module.css";

export interface RunEndProps {
  end: RunEnd;
  runId: string;
  onAskAgain: () => void;
}

/** How a run ended: what it used, which limit it met, or why it failed and what to do. */
export const RunEndView = ({ end, runId, onAskAgain }: RunEndProps): ReactNode => {
  if (end.kind === "failed") return <FailedEnd end={end} runId={runId} onAskAgain={onAskAgain} />;
  return (
    <>
      {end.isTruncated && (
        <Alert color="warn" title="The answer is cut" icon={<Icon name="warning" />} p="xs">
          The model stopped in the middle of it, at the length that its provider allows. Ask it to go on.
        </Alert>
      )}
      {end.isLimited && (
        <Alert color="warn" title="A limit of the run was reached" icon={<Icon name="warning" />} p="xs">
          The answer says what was found until then. The limits are in the setting{" "}
          <code>assistant.budgets</code>.
        </Alert>
      )}
      <Text size="xs" c="dimmed" className={classes["use"]}>
        {usageText(end.use)}
      </Text>
    </>
  );
};

const usageText = ({ inputTokens, outputTokens, cost }: RunUse): string =>
  [
    `${inputTokens.toLocaleString()} tokens read`,
    `${outputTokens.toLocaleString()} written`,
    ...(cost > 0 ? [`cost ${cost.toFixed(4)}`] : []),
  ].join(", ");

const FailedEnd = ({
  end: { code, message },
  runId,
  onAskAgain,
}: RunEndProps & { end: Extract<RunEnd, { kind: "failed" }> }): ReactNode => {
  const { title, solution, canRepeat } = runErrorOf(code);
  const wasStopped = code === "run_cancelled";
  return (
    <Alert
      color={wasStopped ? "gray" : "bad"}
      title={title}
      icon={<Icon name={wasStopped ? "close" : "warning"} />}
      p="xs"
      role={wasStopped ? "status" : "alert"}
    >
      {!wasStopped && <Text size="sm">{message}</Text>}
      <Text size="sm">{wasStopped ? solution : `What to do: ${solution}`}</Text>
      <Group gap="xs" mt={6}>
        {canRepeat && (
          <Button onClick={onAskAgain} leftSection={<Icon name="refresh" size={14} />}>
            Ask again
          </Button>
        )}
        {code === "context_too_long" && <ButtonLink to="/assistant">New conversation</ButtonLink>}
        {!wasStopped && (
          <Text size="xs" c="dimmed" component="span">
            <code>{code}</code> Run <IdText id={runId} length={16} />
          </Text>
        )}
      </Group>
    </Alert>
  );
};
