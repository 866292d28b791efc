import { Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface SectionProps {
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, actions, children }: SectionProps): ReactNode => (
  <section style={{ marginTop: "var(--mantine-spacing-lg)" }}>
    <Group justify="space-between" mb="xs" gap="xs">
      <Title order={2}>{title}</Title>
      {actions}
    </Group>
    {children}
  </section>
);
