import { Button, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { ApiError } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useSession } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import type { Token } from "./queries.ts";

export const RevokeButton = ({ token: { id, name, kind, status } }: { token: Token }): ReactNode => {
  const [isAsking, setAsking] = useState(false);
  const isThis = useSession()?.session?.id === id;
  const queryClient = useQueryClient();
  if (status !== "active") return "–";
  const revoke = async (): Promise<void> => {
    // Its answer has no body, which a result would have to have.
    const { response, error } = await api.auth.DELETE("/api/auth/v1/tokens/{tokenId}", {
      params: { path: { tokenId: id } },
    });
    if (!response.ok) throw new ApiError(response, error);
    await queryClient.invalidateQueries({ queryKey: keys.tokens });
    await queryClient.invalidateQueries({ queryKey: keys.serviceAccounts });
  };
  const what = kind === "session" ? "session" : "token";
  return (
    <>
      <Button size="compact-xs" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Revoke the ${what} “${name}”?`}
        verb="Revoke"
        isDangerous
        onConfirm={revoke}
      >
        <Text size="sm">
          {isThis
            ? "You are signed out of this browser."
            : "Whoever uses it is refused within three seconds. It cannot be undone; a new one can be made."}
        </Text>
      </ConfirmDialog>
    </>
  );
};
