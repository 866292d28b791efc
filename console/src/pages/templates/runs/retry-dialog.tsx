/** Goes on at the failed step. Secrets were forgotten when the run ended: those that the server misses are asked for. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PlinthError } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { keysOf } from "../form/json.ts";
import { bodyOf, missingSecrets } from "./retry-secrets.ts";
import type { Instantiation } from "../queries.ts";

export interface RetryDialogProps {
  run: Instantiation;
  opened: boolean;
  onClose: () => void;
  onRetried: () => void;
}

export const RetryDialog = ({ run, opened, onClose, onRetried }: RetryDialogProps): ReactNode => {
  const [given, setGiven] = useState<Record<string, string>>({});
  const [wanted, setWanted] = useState<string[]>([]);
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      call(
        api.builder.POST("/api/builder/templates/tasks/{taskId}/retry", {
          params: { path: { taskId: run.id } },
          body: bodyOf(given),
        }),
      ),
    onError(error) {
      const missing = error instanceof PlinthError ? missingSecrets(error) : [];
      setWanted((before) => [...new Set([...before, ...missing])]);
    },
    async onSuccess() {
      onClose();
      await queries.invalidateQueries({ queryKey: keys.instantiations });
      onRetried();
    },
  });
  const failed = run.steps.find(({ status }) => status === "failed");
  const asksSecrets = retry.error instanceof PlinthError && missingSecrets(retry.error).length > 0;
  return (
    <Modal opened={opened} onClose={onClose} title={`Retry ${run.title}?`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          retry.mutate();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            {failed === undefined
              ? "It goes on after the last step that is done, with the same values."
              : `It goes on at the step ${failed.name}, with the same values. Steps that are done are not repeated.`}
          </Text>
          {wanted.length > 0 && (
            <Text size="sm">Its secrets were forgotten when it ended. Give them again.</Text>
          )}
          {wanted.map((pointer) => (
            <PasswordInput
              key={pointer}
              size="xs"
              label={labelOf(pointer)}
              required
              autoComplete="off"
              value={given[pointer] ?? ""}
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                setGiven((before) => ({ ...before, [pointer]: value }));
              }}
            />
          ))}
          {retry.error !== null && !asksSecrets && <ErrorView error={retry.error} what="retry it" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={retry.isPending}>
              Retry
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

const labelOf = (pointer: string): string => keysOf(pointer).slice(1).join(", ");
