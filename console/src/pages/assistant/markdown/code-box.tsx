import { ActionIcon, CopyButton } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import classes from "./markdown.module.css";

/** Code of an answer, arguments and results: text as it is. There are many on a page, so they are no landmarks. */
export const CodeBox = ({ code, label }: { code: string; label: string }): ReactNode => (
  <div className={classes["codeBox"]}>
    <CopyButton value={code}>
      {({ copied, copy }) => (
        <ActionIcon
          aria-label={copied ? "Copied" : `Copy: ${label}`}
          title={copied ? "Copied" : "Copy"}
          onClick={copy}
          className={classes["copy"]}
        >
          <Icon name={copied ? "check" : "copy"} size={14} />
        </ActionIcon>
      )}
    </CopyButton>
    {/* What scrolls has to be reachable by keyboard. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} role="group" aria-label={label}>
      {code}
    </pre>
  </div>
);
