import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { CodeView } from "../../../parts/values/code-view.tsx";
import { momentText } from "../../../parts/values/text.ts";
import type { MadeToken } from "./queries.ts";
import { TokenForm } from "./token-form.tsx";

export interface NewTokenDialogProps {
  /** Those that it may have: its owner's. */
  roles: readonly string[];
  /** Name of a service account; the caller's own without it. */
  service?: string;
  onClose: () => void;
}

/** The dialog stays until the token was stored: it is shown this once. */
export const NewTokenDialog = ({ roles, service, onClose }: NewTokenDialogProps): ReactNode => {
  const [made, setMade] = useState<MadeToken | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={service === undefined ? "New token" : `New token of ${service}`}
      size="lg"
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {made === null ? (
        <TokenForm roles={roles} service={service} onMade={setMade} onClose={onClose} />
      ) : (
        <Made token={made} onClose={onClose} />
      )}
    </Modal>
  );
};

const Made = ({ token, onClose }: { token: MadeToken; onClose: () => void }): ReactNode => (
  <Stack gap="sm">
    <Alert color="warn" title="Store it now">
      Plinth keeps only a hash of it, and cannot show it again.
    </Alert>
    <CodeView code={token.token} label="the new token" />
    <Text size="sm">
      “{token.name}” acts as {token.owner} until {momentText(Date.parse(token.expiresAt))}, with{" "}
      {token.roles.join(", ")} for {token.scopes.join(", ")}.
    </Text>
    <Group justify="flex-end">
      <Button variant="filled" onClick={onClose}>
        I have stored it
      </Button>
    </Group>
  </Stack>
);
