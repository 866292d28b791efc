import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";

const route = getRouteApi("/notices");
const mail = "mail";

/** Sends a message that says that it is a sample, and shows how it goes. */
export const SampleDialog = ({
  channels,
  onClose,
}: {
  channels: readonly string[];
  onClose: () => void;
}): ReactNode => {
  const [channel, setChannel] = useState(channels[0] ?? mail);
  const [to, setTo] = useState("");
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.POST("/api/coordinator/v1/notices/test", {
          body: { channel, ...(channel === mail && to.trim() !== "" && { to: to.trim() }) },
        }),
      ),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keys.notices });
      onClose();
      await navigate({ search: (previous) => ({ ...previous, notice: id }) });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Send a sample" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sending.mutate();
        }}
      >
        <Stack gap="sm">
          <Select
            label="Channel"
            data={channels}
            value={channel}
            onChange={(value) => setChannel(value ?? mail)}
          />
          {channel === mail && (
            <TextInput
              label="To"
              description="A user, a group or an address; you, when empty."
              placeholder="user:default/ada"
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
          )}
          {sending.error !== null && <ErrorView error={sending.error} what="send the sample" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={sending.isPending}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
