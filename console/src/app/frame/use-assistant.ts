import { useHotkeys } from "@mantine/hooks";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";

export interface AssistantBeside {
  isOpen: boolean;
  /** null: a new conversation. */
  sessionId: string | null;
  /** Whether it was opened here and now, not by an address that has it. */
  wasAsked: boolean;
  /** Its own pages have no panel. */
  isOffered: boolean;
  open: () => void;
  close: () => void;
}

export const askButtonId = "ask-the-assistant";
export const questionFieldId = "question-to-the-assistant";

/** The assistant beside a page. Whether it is open, and its conversation, are in the address. */
export const useAssistantBeside = (): AssistantBeside => {
  const { assistant: ask } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [wasAsked, setAsked] = useState(false);
  const isOffered = pathname !== "/assistant" && !pathname.startsWith("/assistant/");
  const show = (value: string | undefined): void =>
    void navigate({ to: ".", search: (previous) => ({ ...previous, assistant: value }), replace: true });
  const open = (): void => {
    setAsked(true);
    show("new");
  };
  const isOpen = isOffered && ask !== undefined;
  const focusOrOpen = (): void => {
    if (isOpen) document.getElementById(questionFieldId)?.focus();
    else if (isOffered) open();
  };
  useHotkeys([["a", focusOrOpen]]);
  return {
    isOpen,
    sessionId: ask === undefined || ask === "new" ? null : ask,
    wasAsked,
    isOffered,
    open,
    close() {
      show(undefined);
      document.getElementById(askButtonId)?.focus();
    },
  };
};
