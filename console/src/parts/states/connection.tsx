import { Alert, Badge } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { doesServerAnswer, reachability } from "../../api/client.ts";
import type { LiveState } from "../../api/event-stream.ts";
import { useSignal } from "../../api/signal.ts";
import type { Tone } from "../../app/theme/colours.ts";
import { Icon } from "../page/icon.tsx";
import { useIsServerUnable } from "./unable.ts";

const askAgainMs = 3000;

/** Says that what is shown may be old while the server does not answer, or refuses everything. */
export const OfflineBanner = (): ReactNode => {
  const isUnreachable = useIsUnreachable();
  const isUnable = useIsServerUnable();
  return (
    <div role="status" aria-live="polite">
      {(isUnreachable || isUnable) && (
        <Alert
          color="warn"
          icon={<Icon name="warning" />}
          title={isUnreachable ? "The server cannot be reached" : "The server cannot answer at the moment"}
          mb="md"
          py="xs"
        >
          What you see may be out of date. Plinth asks again every few seconds and goes on by itself.
        </Alert>
      )}
    </div>
  );
};

/** Asks again, and reads everything anew when the server answers. */
const useIsUnreachable = (): boolean => {
  const isUnreachable = useSignal(reachability) === "unreachable";
  const queries = useQueryClient();
  useEffect(() => {
    if (!isUnreachable) return;
    const ask = async (): Promise<void> => {
      if (!(await doesServerAnswer())) return;
      reachability.set("reachable");
      await queries.invalidateQueries();
    };
    const timer = setInterval(() => void ask(), askAgainMs);
    return () => clearInterval(timer);
  }, [isUnreachable, queries]);
  return isUnreachable;
};

const live: Record<LiveState, { tone: Tone; text: string }> = {
  connecting: { tone: "gray", text: "Connecting" },
  live: { tone: "good", text: "Live" },
  reconnecting: { tone: "warn", text: "Reconnecting" },
  ended: { tone: "gray", text: "Ended" },
  failed: { tone: "bad", text: "Not live" },
};

/** Whether what is shown follows the server at the moment. */
export const LiveBadge = ({ state }: { state: LiveState }): ReactNode => (
  <Badge color={live[state].tone} variant="outline" role="status">
    {live[state].text}
  </Badge>
);
