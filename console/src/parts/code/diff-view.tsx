import { Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, type ReactNode } from "react";
import { LoadingView } from "../states/views.tsx";
import classes from "./code.module.css";

const MergeEditor = lazy(async () => ({ default: (await import("./merge-editor.tsx")).MergeEditor }));

export interface DiffViewProps {
  before: string;
  after: string;
  /** What a screen reader calls it; "before" and "after" are added. */
  label: string;
  /** Above each side, such as `1.0.0`. */
  beforeTitle?: string;
  afterTitle?: string;
}

/** Two texts with what differs, beside each other, or in one column on a phone. */
export const DiffView = (props: DiffViewProps): ReactNode => {
  const { beforeTitle, afterTitle } = props;
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false }) ?? true;
  return (
    <div className={classes["frame"]}>
      {(beforeTitle !== undefined || afterTitle !== undefined) && (
        <Group grow gap={0} className={classes["titles"]}>
          <Text size="xs" c="dimmed">
            − {beforeTitle}
          </Text>
          <Text size="xs" c="dimmed">
            + {afterTitle}
          </Text>
        </Group>
      )}
      <Suspense fallback={<LoadingView label={`Loading ${props.label}`} />}>
        <MergeEditor {...props} isWide={isWide} />
      </Suspense>
    </div>
  );
};
