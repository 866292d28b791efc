import { Button, Group, List, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useSession } from "../../../api/session.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { CodeBox } from "../markdown/code-box.tsx";
import { linksIn } from "../links/object-links.ts";
import { ObjectLink } from "../links/object-link.tsx";
import { readAgain, toolQuery } from "../queries.ts";
import { changedNames, type Arguments, type JsonSchema } from "./argument-fields.ts";
import { ArgumentsForm } from "./arguments-form.tsx";
import classes from "./approvals.module.css";

export interface AskedCall {
  approvalId: string;
  runId: string;
  sessionId: string | null;
  agents: readonly string[];
  server: string;
  tool: string;
  /** Secrets are masked; a mask that is left as it is keeps its value. */
  arguments: Arguments;
  schema: JsonSchema | null;
  since: string | null;
  expiresAt: string;
  policyReasons?: readonly string[];
}

/** A tool call that waits: what will be done, as whom, with arguments that can be changed, and the decision. */
export const ApprovalCard = ({ asked }: { asked: AskedCall }): ReactNode => {
  const caller = useSession()?.caller?.ref ?? "you";
  const { data: tool } = useQuery(toolQuery(asked.server, asked.tool));
  const links = linksIn(asked.tool, JSON.stringify(asked.arguments));
  return (
    <Paper component="section" aria-label={`Approval of ${asked.tool}`} className={classes["card"]} p="sm">
      <Stack gap="sm">
        <WaitingReason
          reason={`${wordsOf(asked.tool)} needs your approval`}
          since={asked.since}
          who={[caller]}
          until={asked.expiresAt}
          next="without an answer it is not called, and the assistant goes on without it."
        />
        <Text size="sm" component="div">
          The agent {asked.agents.join(" › ")} wants to call <code>{asked.tool}</code> of {asked.server}. It
          is called as {caller}, with your rights.
          {tool?.description !== undefined && (
            <Text size="sm" c="dimmed" mt={2}>
              {tool.description}
            </Text>
          )}
        </Text>
        {(asked.policyReasons ?? []).length > 0 && (
          <div>
            <Text size="sm">Policies ask for your decision:</Text>
            <List size="sm">
              {asked.policyReasons?.map((reason) => (
                <List.Item key={reason}>{reason}</List.Item>
              ))}
            </List>
          </div>
        )}
        {links.length > 0 && (
          <Group gap="sm">
            {links.map((link) => (
              <Text key={`${link.kind} ${link.id}`} size="sm" component="span">
                <ObjectLink link={link} />
              </Text>
            ))}
          </Group>
        )}
        <Decision asked={asked} />
      </Stack>
    </Paper>
  );
};

interface Answer {
  approved: boolean;
  reason?: string;
  arguments?: Arguments;
}

const Decision = ({ asked }: { asked: AskedCall }): ReactNode => {
  const [isEditing, setEditing] = useState(false);
  const [isRefusing, setRefusing] = useState(false);
  const [reason, setReason] = useState("");
  const [value, setValue] = useState(asked.arguments);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const decision = useDecision(asked);
  const changed = changedNames(asked.arguments, value);
  if (decision.isSuccess)
    return (
      <Text size="sm" role="status">
        {decision.variables.approved ? "Approved." : "Refused."} The assistant goes on.
      </Text>
    );
  return (
    <Stack gap="sm">
      {isEditing ? (
        <ArgumentsForm
          schema={asked.schema}
          original={asked.arguments}
          value={value}
          onChange={setValue}
          broken={broken}
          onBroken={(name, is) =>
            setBroken(
              (before) => new Set([...before].filter((each) => each !== name).concat(is ? [name] : [])),
            )
          }
        />
      ) : (
        <CodeBox code={JSON.stringify(value, null, 2)} label={`Arguments of ${asked.tool}`} />
      )}
      {isRefusing && <Reason value={reason} onChange={setReason} />}
      {decision.error !== null && (
        <ErrorView error={decision.error} what={isRefusing ? "refuse this call" : "approve this call"} />
      )}
      <Group gap="xs">
        {isRefusing ? (
          <>
            <Button
              variant="filled"
              color="bad"
              loading={decision.isPending}
              onClick={() => decision.mutate({ approved: false, ...(reason !== "" && { reason }) })}
            >
              Refuse
            </Button>
            <Button onClick={() => setRefusing(false)}>Back</Button>
          </>
        ) : (
          <>
            <Button
              variant="filled"
              loading={decision.isPending}
              disabled={broken.size > 0}
              onClick={() =>
                decision.mutate({ approved: true, ...(changed.length > 0 && { arguments: value }) })
              }
            >
              {changed.length > 0 ? `Approve with ${changesText(changed.length)}` : "Approve"}
            </Button>
            <Button onClick={() => setEditing(!isEditing)} aria-expanded={isEditing}>
              {isEditing ? "Done editing" : "Edit arguments"}
            </Button>
            <Button onClick={() => setRefusing(true)}>Refuse …</Button>
          </>
        )}
      </Group>
    </Stack>
  );
};

const Reason = ({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode => (
  <Textarea
    label="Reason, which the assistant reads"
    size="xs"
    autosize
    minRows={2}
    maxLength={2000}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    // The field appears because its button was pressed.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus
  />
);

const changesText = (count: number): string => (count === 1 ? "1 change" : `${count} changes`);

const useDecision = ({ runId, approvalId, sessionId }: AskedCall) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Answer) =>
      call(
        api.assistant.POST("/api/assistant/v2/runs/{run_id}/approvals/{approval_id}", {
          params: { path: { run_id: runId, approval_id: approvalId } },
          body,
        }),
      ),
    onSuccess: () =>
      Promise.all([
        readAgain(queries, sessionId),
        queries.invalidateQueries({ queryKey: [...keys.runs, runId] }),
      ]),
  });
};
