import { Checkbox, Group } from "@mantine/core";
import type { ReactNode } from "react";

export interface RoleBoxesProps {
  roles: readonly string[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
  description: string;
}

export const RoleBoxes = ({ roles, chosen, onChange, description }: RoleBoxesProps): ReactNode => (
  <Checkbox.Group label="Roles" size="xs" description={description} value={chosen} onChange={onChange}>
    <Group gap="md" mt={4}>
      {roles.map((role) => (
        <Checkbox key={role} size="xs" value={role} label={role} />
      ))}
    </Group>
  </Checkbox.Group>
);
