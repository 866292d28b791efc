import { ActionIcon, CopyButton } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../page/icon.tsx";
import classes from "./code-view.module.css";

export interface CodeViewProps {
  code: string;
  /** What a screen reader calls it. */
  label: string;
  /** CSS; scrolls above it. */
  maxHeight?: string;
}

/** Text as it is: never HTML, whatever it contains. */
export const CodeView = ({ code, label, maxHeight = "28rem" }: CodeViewProps): ReactNode => (
  <div className={classes["frame"]}>
    <CopyButton value={code}>
      {({ copied, copy }) => (
        <ActionIcon
          title={copied ? "Copied" : "Copy"}
          aria-label={copied ? "Copied" : `Copy ${label}`}
          onClick={copy}
          className={classes["copy"]}
        >
          <Icon name={copied ? "check" : "copy"} size={14} />
        </ActionIcon>
      )}
    </CopyButton>
    {/* A region that scrolls has to be reachable by keyboard. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre className={classes["code"]} style={{ maxHeight }} tabIndex={0} role="region" aria-label={label}>
      {code}
    </pre>
  </div>
);

export const JsonView = ({
  value,
  label,
  maxHeight,
}: {
  value: unknown;
  label: string;
  maxHeight?: string;
}): ReactNode => (
  <CodeView
    code={JSON.stringify(value, null, 2)}
    label={label}
    {...(maxHeight !== undefined && { maxHeight })}
  />
);
