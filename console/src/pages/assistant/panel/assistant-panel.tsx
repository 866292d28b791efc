import { ActionIcon, Group, Title } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { Conversation } from "../chat/conversation.tsx";
import { contextOf, withoutPanel } from "../context/page-context.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import classes from "./assistant-panel.module.css";

export interface AssistantPanelProps {
  /** null: a new conversation. */
  sessionId: string | null;
  /** Opened by a key or a button, not by a link that has it in its address. */
  startsFocused: boolean;
  onClose: () => void;
}

/** The assistant beside a page: it is told what that page shows, and stays when one goes to another. */
export const AssistantPanel = ({ sessionId, startsFocused, onClose }: AssistantPanelProps): ReactNode => {
  const navigate = useNavigate();
  const { environment } = useEnvironment();
  const { pathname, searchStr } = useLocation();
  const path = pathname + withoutPanel(searchStr);
  const [agentId, setAgentId] = useState<string | null>(null);
  const [forgotten, setForgotten] = useState<string | null>(null);
  const context = contextOf(path, environment);
  return (
    // Esc closes it from every field in it; it is no widget by itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes["panel"]} onKeyDown={(event) => isOfPanel(event) && onClose()}>
      <Group gap="xs" wrap="nowrap" className={classes["head"]}>
        <PanelTitle sessionId={sessionId} />
        <Group gap={4} wrap="nowrap" ml="auto">
          {sessionId === null ? (
            <ButtonLink to="/assistant" search={{ about: path, assistant: undefined }}>
              Conversations
            </ButtonLink>
          ) : (
            <>
              <ButtonLink to="." search={(previous: object) => ({ ...previous, assistant: "new" })}>
                New
              </ButtonLink>
              <ButtonLink
                to="/assistant/$sessionId"
                params={{ sessionId }}
                search={{ about: path, assistant: undefined }}
              >
                Open
              </ButtonLink>
            </>
          )}
          <ActionIcon aria-label="Close the assistant" onClick={onClose}>
            <Icon name="close" />
          </ActionIcon>
        </Group>
      </Group>
      <div className={classes["body"]}>
        <Conversation
          key={sessionId}
          sessionId={sessionId}
          onSession={(id) =>
            void navigate({ to: ".", search: (previous: object) => ({ ...previous, assistant: id }) })
          }
          agentId={agentId}
          onAgent={setAgentId}
          context={forgotten === pathname ? null : context}
          onForgetContext={() => setForgotten(pathname)}
          startsFocused={startsFocused}
        />
      </div>
    </div>
  );
};

/** Whether the key closes the panel, and not a list or a word that is being composed in it, or a dialog above it. */
const isOfPanel = ({ key, target, currentTarget, nativeEvent }: KeyboardEvent): boolean =>
  key === "Escape" &&
  !nativeEvent.isComposing &&
  target instanceof Element &&
  currentTarget.contains(target) &&
  // The components say so while Escape is theirs.
  target.getAttribute("data-mantine-stop-propagation") !== "true";

const PanelTitle = ({ sessionId }: { sessionId: string | null }): ReactNode => (
  <Title order={2} className={classes["title"]}>
    {sessionId === null ? "Assistant" : <SessionTitle sessionId={sessionId} />}
  </Title>
);

const SessionTitle = ({ sessionId }: { sessionId: string }): ReactNode => useSessionTitle(sessionId);
