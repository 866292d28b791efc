import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { PlinthError, type CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { ErrorView } from "../../../parts/states/views.tsx";

/** What to do while maintenance windows let nothing begin. */
export interface Closing {
  "when-closed"?: CoordinatorComponents["schemas"]["WhenClosed"];
  "override-reason"?: string;
  queue?: boolean;
}

export interface StartRefusalProps {
  error: unknown;
  /** The rest of "Plinth could not …". */
  what: string;
  environment: string;
  isBusy: boolean;
  /** Sends it again, with a choice. */
  onClosed: (closing: Closing) => void;
  /** Whether it can wait for its turn behind the unit's operation. */
  canQueue?: boolean;
}

/** Why a start was refused; where a choice makes it possible, the choice. */
export const StartRefusal = (props: StartRefusalProps): ReactNode => {
  const { error, what, environment, isBusy, onClosed, canQueue = false } = props;
  const code = error instanceof PlinthError ? error.code : "";
  return (
    <Stack gap="sm">
      <ErrorView error={error} what={what} />
      {code === "COORD_ENVIRONMENT_CLOSED" && (
        <ClosedChoice environment={environment} isBusy={isBusy} onClosed={onClosed} />
      )}
      {code === "COORD_OPERATION_ACTIVE" && canQueue && (
        <Group>
          <Button loading={isBusy} onClick={() => onClosed({ queue: true })}>
            Queue it behind the operation at work
          </Button>
        </Group>
      )}
    </Stack>
  );
};

const ClosedChoice = ({
  environment,
  isBusy,
  onClosed,
}: Pick<StartRefusalProps, "environment" | "isBusy" | "onClosed">): ReactNode => {
  const mayOverride = useHasRole("operator", "admin");
  const [reason, setReason] = useState("");
  return (
    <>
      <Group>
        <Button loading={isBusy} onClick={() => onClosed({ "when-closed": "wait" })}>
          Let it wait until {environment} opens
        </Button>
      </Group>
      {mayOverride ? (
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Or begin all the same, because"
            value={reason}
            maxLength={2000}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Button
            color="bad"
            variant="outline"
            loading={isBusy}
            disabled={reason.trim() === ""}
            onClick={() => onClosed({ "when-closed": "override", "override-reason": reason })}
          >
            Begin now
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Operators may begin all the same.
        </Text>
      )}
    </>
  );
};
