import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { localMinute } from "../parts/local-minute.ts";

export interface ReplayDialogProps {
  names: readonly string[];
  webhook: string;
  onClose: () => void;
}

const hourMs = 3_600_000;

interface Period {
  webhook: string;
  from: string;
  to: string;
  includeDelivered: boolean;
}

const isoOf = (local: string): string => new Date(local).toISOString();

/** What a receiver has missed, as after it was away. */
export const ReplayDialog = ({ names, webhook, onClose }: ReplayDialogProps): ReactNode => {
  const [period, setPeriod] = useState<Period>(() => ({
    webhook,
    from: localMinute(new Date(Date.now() - hourMs).toISOString()),
    to: "",
    includeDelivered: false,
  }));
  const change = (part: Partial<Period>): void => setPeriod((previous) => ({ ...previous, ...part }));
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.POST("/api/coordinator/v1/webhook-deliveries/replay", {
          body: {
            webhook: period.webhook,
            from: isoOf(period.from),
            ...(period.to !== "" && { to: isoOf(period.to) }),
            includeDelivered: period.includeDelivered,
          },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.webhooks }),
  });
  return (
    <Modal opened onClose={onClose} title="Send a period again" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          replay.mutate();
        }}
      >
        <Stack gap="sm">
          <Select
            label="Webhook"
            data={names}
            value={period.webhook}
            onChange={(value) => change({ webhook: value ?? "" })}
          />
          <Group grow gap="xs">
            <TextInput
              type="datetime-local"
              label="Events from"
              required
              value={period.from}
              onChange={({ currentTarget }) => change({ from: currentTarget.value })}
            />
            <TextInput
              type="datetime-local"
              label="Before (now, when empty)"
              value={period.to}
              onChange={({ currentTarget }) => change({ to: currentTarget.value })}
            />
          </Group>
          <Checkbox
            label="Also those that were delivered"
            description="They come under the ids that they had."
            checked={period.includeDelivered}
            onChange={({ currentTarget }) => change({ includeDelivered: currentTarget.checked })}
          />
          {replay.error !== null && <ErrorView error={replay.error} what="send them again" />}
          {replay.isSuccess && (
            <Text size="sm" role="status">
              {replay.data.replayed === 0
                ? "No event of the period is missing."
                : `${replay.data.replayed} events wait to be sent again.`}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Close</Button>
            <Button type="submit" variant="filled" loading={replay.isPending} disabled={period.from === ""}>
              Send again
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
