import { Group, Text, Title } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import classes from "./page-header.module.css";

export interface PageHeaderProps {
  title: string;
  /** Below the title: what the page is about, or badges of the thing that it shows. */
  description?: ReactNode;
  /** Buttons on the right. */
  actions?: ReactNode;
  /** In the tab's title in place of the page's. */
  documentTitle?: string;
}

let shownPath: string | undefined;

/** The one h1 of a page. It names the tab, and takes the focus when one comes from another page, so that a screen reader says it. */
export const PageHeader = ({
  title,
  description,
  actions,
  documentTitle = title,
}: PageHeaderProps): ReactNode => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle} · Plinth`;
  }, [documentTitle]);
  // By what the browser shows and not by the router's location, which the page that is left sees as well.
  useEffect(() => {
    const { pathname } = location;
    // The tour goes from page to page and keeps the focus.
    const isKept = document.activeElement?.closest("[data-keeps-focus]") != null;
    if (shownPath !== undefined && shownPath !== pathname && !isKept)
      heading.current?.focus({ preventScroll: true });
    shownPath = pathname;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <div className={classes["words"]}>
        <Title order={1} ref={heading} tabIndex={-1} className={classes["title"]}>
          {title}
        </Title>
        {description !== undefined && (
          <Text component="div" c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
};
