import { Alert, Checkbox, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { componentNameOf } from "../names.ts";

interface ProtectedDataProps {
  ids: readonly string[];
  confirmed: readonly string[];
  onConfirm: (ids: readonly string[]) => void;
}

/** Data that is protected is removed only where each component is named. */
export const ProtectedData = ({ ids, confirmed, onConfirm }: ProtectedDataProps): ReactNode => (
  <Alert color="bad" icon={<Icon name="warning" />} title="The data of these components is protected">
    <Checkbox.Group
      label="Remove it all the same, for good"
      size="xs"
      value={[...confirmed]}
      onChange={(value) => onConfirm(value)}
    >
      <Stack gap={4} mt={4}>
        {ids.map((id) => (
          <Checkbox key={id} size="xs" value={id} label={componentNameOf(id)} title={id} />
        ))}
      </Stack>
    </Checkbox.Group>
  </Alert>
);
