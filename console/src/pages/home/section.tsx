import { Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface SectionProps {
  title: string;
  /** A link to the whole list. */
  more?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, more, children }: SectionProps): ReactNode => (
  <Paper component="section" aria-label={title}>
    <Group justify="space-between" mb="xs">
      <Title order={2}>{title}</Title>
      {more}
    </Group>
    {children}
  </Paper>
);

export const Nothing = ({ children }: { children: ReactNode }): ReactNode => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);
