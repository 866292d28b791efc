import { ActionIcon, Button, Group, Select, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { questionFieldId } from "../../../app/frame/use-assistant.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { contextText, type PageContext } from "../context/page-context.ts";
import { agentsQuery } from "../queries.ts";
import classes from "./chat.module.css";

const longest = 10_000;
const nearlyLongest = 9_000;

export interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  isSending: boolean;
  /** Why nothing can be asked at the moment. */
  obstacle: string | null;
  /** Stops the run that is at work; null when there is none. */
  onStop: (() => void) | null;
  isStopping: boolean;
  agentId: string | null;
  onAgent: (id: string | null) => void;
  context: PageContext | null;
  onForgetContext: () => void;
  startsFocused?: boolean;
}

/** Where one writes: Enter sends, Shift and Enter begins a line. */
export const Composer = (props: ComposerProps): ReactNode => {
  const { text, onText, onSend, isSending, obstacle, onStop, isStopping, startsFocused = false } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (startsFocused) input.current?.focus();
  }, [startsFocused]);
  const maySend = text.trim() !== "" && text.length <= longest && !isSending && obstacle === null;
  const send = (): void => {
    if (!maySend) return;
    onSend();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is composed, as in Japanese, Enter takes it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={classes["composer"]}
      aria-label="Ask the assistant"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={input}
        id={questionFieldId}
        aria-label="Your question"
        placeholder="Ask about units, plans, templates, policies …"
        autosize
        minRows={1}
        maxRows={10}
        variant="unstyled"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        error={
          text.length > longest ? `A question has at most ${longest.toLocaleString()} characters.` : undefined
        }
        classNames={{ input: classes["input"] ?? "" }}
      />
      <Group gap="xs" className={classes["composerFoot"]}>
        <AgentChoice {...props} />
        <ContextChip {...props} />
        <Group gap="xs" ml="auto" wrap="nowrap">
          {text.length > nearlyLongest && (
            <Text size="xs" c="dimmed" className="tabular">
              {(longest - text.length).toLocaleString()} left
            </Text>
          )}
          {onStop !== null && (
            <Button onClick={onStop} loading={isStopping} leftSection={<Icon name="close" size={12} />}>
              Stop
            </Button>
          )}
          <Button type="submit" variant="filled" loading={isSending} disabled={!maySend}>
            Ask
          </Button>
        </Group>
      </Group>
      {obstacle !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {obstacle}
        </Text>
      )}
    </form>
  );
};

const AgentChoice = ({ agentId, onAgent }: ComposerProps): ReactNode => {
  const { data } = useQuery(agentsQuery);
  const agents = (data?.data ?? []).toSorted((a, b) => a.display_order - b.display_order);
  if (agents.length < 2) return null;
  const usual = agents.find(({ is_default: isDefault }) => isDefault) ?? agents[0];
  return (
    <Select
      aria-label="Agent"
      className={classes["agent"] ?? ""}
      data={agents.map(({ id, label }) => ({ value: id, label }))}
      value={agentId ?? usual?.id ?? null}
      onChange={(id) => onAgent(id === usual?.id ? null : id)}
      comboboxProps={{ width: 320, position: "top-start" }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {agents.find(({ id }) => id === option.value)?.description}
          </Text>
        </div>
      )}
    />
  );
};

const ContextChip = ({ context, onForgetContext }: ComposerProps): ReactNode =>
  context === null ? null : (
    <span
      className={classes["chip"]}
      title={`The assistant is told that you look at ${context.path ?? context.page}`}
    >
      <Icon name="external" size={12} />
      <span className={classes["chipText"]}>About {contextText(context)}</span>
      <ActionIcon size="xs" aria-label="Do not tell the assistant what I look at" onClick={onForgetContext}>
        <Icon name="close" size={11} />
      </ActionIcon>
    </span>
  );
