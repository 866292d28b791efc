import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ErrorView } from "../states/views.tsx";

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, in full sentences. */
  children: ReactNode;
  /** The verb of the button: "Terminate", "Delete". */
  verb: string;
  /** Closes when it resolves; shows why when it fails. */
  onConfirm: () => Promise<unknown>;
  /** Where it cannot be undone, this text has to be typed first. */
  typed?: string;
  isDangerous?: boolean;
  /** Until it is, such as while the dialog reads what will happen, it cannot be confirmed. */
  isReady?: boolean;
}

/** Stays open while its request is under way, so that whoever confirmed sees how it ended. */
export const ConfirmDialog = (props: ConfirmDialogProps): ReactNode => {
  const {
    opened,
    onClose,
    title,
    children,
    verb,
    onConfirm,
    typed,
    isDangerous = false,
    isReady = true,
  } = props;
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leave = (): void => {
    setText("");
    setError(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      leave();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const close = (): void => {
    if (!isBusy) leave();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeButtonProps={{ "aria-label": "Close", disabled: isBusy }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack gap="sm">
          <div>{children}</div>
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to go on`}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error !== null && <ErrorView error={error} what="do this" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="filled"
              color={isDangerous ? "bad" : "accent"}
              loading={isBusy}
              disabled={!isReady || (typed !== undefined && text !== typed)}
            >
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
