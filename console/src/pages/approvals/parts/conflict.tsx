import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { DiffView } from "../../../parts/code/diff-view.tsx";
import { Icon } from "../../../parts/page/icon.tsx";
import { referenceText } from "../../../parts/values/text.ts";

export interface ConflictProps {
  /** The version that was edited, and the one that was saved meanwhile. */
  version: number;
  newer: { version: number; updatedBy?: string | undefined };
  /** As YAML. */
  theirs: string;
  mine: string;
  onRebase: () => void;
}

/** What was saved meanwhile, beside what was about to be saved. */
export const Conflict = ({ version, newer, theirs, mine, onRebase }: ConflictProps): ReactNode => (
  <Alert
    color="warn"
    icon={<Icon name="warning" />}
    role="alert"
    title={`Version ${newer.version} was saved while you edited version ${version}`}
  >
    <Stack gap="xs">
      <Text size="sm">
        On the left is what {newer.updatedBy === undefined ? "was" : `${referenceText(newer.updatedBy)} has`}{" "}
        saved, on the right what you have here. Nothing of yours is lost.
      </Text>
      <DiffView
        label="The saved version and mine"
        before={theirs}
        after={mine}
        beforeTitle={`saved, version ${newer.version}`}
        afterTitle="yours"
      />
      <Group gap="xs">
        <Button onClick={onRebase}>Go on with mine on version {newer.version}</Button>
      </Group>
    </Stack>
  </Alert>
);
