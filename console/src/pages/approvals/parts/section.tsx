import { Group, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

export interface SectionProps {
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its heading. */
export const Section = ({ title, actions, children }: SectionProps): ReactNode => {
  const id = useId();
  return (
    <section aria-labelledby={id} style={{ marginTop: "var(--mantine-spacing-lg)" }}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  );
};
