import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";

/** Names a conversation, and deletes it. */
export const SessionActions = ({ sessionId, title }: { sessionId: string; title: string }): ReactNode => {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { session_id: sessionId } };
  const remove = async (): Promise<void> => {
    await call(api.assistant.DELETE("/api/assistant/v2/sessions/{session_id}", { params }));
    await navigate({ to: "/assistant" });
    queries.removeQueries({ queryKey: [...keys.sessions, sessionId] });
    await queries.invalidateQueries({ queryKey: keys.sessions });
  };
  return (
    <>
      <Button onClick={() => setOpen("rename")}>Rename</Button>
      <Button onClick={() => setOpen("delete")}>Delete</Button>
      {open === "rename" && (
        <RenameDialog sessionId={sessionId} title={title} onClose={() => setOpen(null)} />
      )}
      <ConfirmDialog
        opened={open === "delete"}
        onClose={() => setOpen(null)}
        title="Delete this conversation?"
        verb="Delete"
        onConfirm={remove}
        isDangerous
      >
        “{title}” is deleted with its messages, runs and approvals, for good. A run that is at work is
        stopped; what its tools have changed stays.
      </ConfirmDialog>
    </>
  );
};

const longestTitle = 200;

const RenameDialog = ({
  sessionId,
  title,
  onClose,
}: {
  sessionId: string;
  title: string;
  onClose: () => void;
}): ReactNode => {
  const [text, setText] = useState(title);
  const queries = useQueryClient();
  const renaming = useMutation({
    mutationFn: () =>
      call(
        api.assistant.PATCH("/api/assistant/v2/sessions/{session_id}/title", {
          params: { path: { session_id: sessionId } },
          body: { title: text.trim() },
        }),
      ),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: keys.sessions });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Rename the conversation">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Title"
            value={text}
            maxLength={longestTitle}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            data-autofocus
          />
          {renaming.error !== null && <ErrorView error={renaming.error} what="rename the conversation" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={renaming.isPending} disabled={text.trim() === ""}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
