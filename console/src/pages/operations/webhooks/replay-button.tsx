import { Button, Text, Tooltip } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import type { Delivery } from "./queries.ts";

/** Sends the event of one delivery again, under the same id: a receiver that has it already knows it. */
export const ReplayButton = ({ delivery: { id, webhook, status } }: { delivery: Delivery }): ReactNode => {
  const mayReplay = useHasRole("operator", "admin");
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.POST("/api/coordinator/v1/webhook-deliveries/replay", {
          body: { webhook, deliveryId: id, includeDelivered: true },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.webhooks }),
  });
  if (!mayReplay || status === "PENDING") return "–";
  if (replay.isSuccess)
    return (
      <Text size="xs" c="dimmed" role="status">
        Sent again
      </Text>
    );
  const { error } = replay;
  return (
    <>
      <Tooltip label={`Send this event to ${webhook} again`}>
        <Button
          size="compact-xs"
          aria-label={`Send again: event ${id} to ${webhook}`}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
        >
          Send again
        </Button>
      </Tooltip>
      {error !== null && (
        <Text size="xs" c="bad" role="alert">
          {error.message}
        </Text>
      )}
    </>
  );
};
