import { ActionIcon, CopyButton } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../page/icon.tsx";
import { shortened } from "./text.ts";
import classes from "./id-text.module.css";

export interface IdTextProps {
  id: string;
  /** Letters that are shown; the whole id is in the title and is what is copied. */
  length?: number;
  /** In a table that has a link there is no button beside each id. */
  copyable?: boolean;
}

export const IdText = ({ id, length = 36, copyable = true }: IdTextProps): ReactNode => (
  <span className={classes["id"]}>
    <span className={classes["text"]} title={id}>
      {shortened(id, length)}
    </span>
    {copyable && (
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            size="xs"
            title={copied ? "Copied" : "Copy"}
            aria-label={copied ? "Copied" : `Copy ${id}`}
            onClick={copy}
          >
            <Icon name={copied ? "check" : "copy"} size={13} />
          </ActionIcon>
        )}
      </CopyButton>
    )}
  </span>
);
