import { Button, Group, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { basePath } from "../../api/base-path.ts";
import { sessionState } from "../../api/session-state.ts";
import { sessionQuery, sessionWatchQuery, type Session } from "../../api/session.ts";
import { useSignal } from "../../api/signal.ts";
import { currentPath } from "./use-sign-in.ts";

/** Over everything else, other dialogs included. */
const zIndex = 1000;
const nothing = (): void => undefined;

/** Lies over the page when its session has ended, so that what was typed there is kept, until the session is back. */
export const SessionEnded = (): ReactNode => {
  const state = useSignal(sessionState);
  return (
    <>
      {state !== "present" && <Watch />}
      <Dialog opened={state === "ended"} />
    </>
  );
};

/** Mounted after the first answer 401, until the session is back. */
const Watch = (): ReactNode => {
  const { data } = useQuery(sessionWatchQuery);
  useSettledBy(data);
  return null;
};

/** Always mounted, as it gives the focus back when it closes. It opens once the server has said that the session has ended. */
const Dialog = ({ opened }: { opened: boolean }): ReactNode => (
  <Modal
    opened={opened}
    onClose={nothing}
    title="Your session has ended"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
    zIndex={zIndex}
  >
    <Text size="sm">
      Sign in in another tab, then go on here: the page is as you left it, with what you have typed.
    </Text>
    <Group justify="flex-end" gap="xs" mt="md">
      <Button
        component="a"
        href={`${signInPage}?reason=expired&returnTo=${encodeURIComponent(currentPath())}`}
      >
        Leave this page
      </Button>
      <Button component="a" href={signInPage} target="_blank" variant="filled" data-autofocus>
        Sign in in a new tab
      </Button>
    </Group>
  </Modal>
);

const signInPage = `${basePath}/sign-in`;

/** Goes on for the same person. What the page shows is not for another one, so that it is loaded anew. */
const useSettledBy = (found: Session | undefined): void => {
  const queries = useQueryClient();
  useEffect(() => {
    if (found === undefined) return;
    if (found.caller === null) return sessionState.set("ended");
    if (found.caller.ref !== queries.getQueryData(sessionQuery.queryKey)?.caller?.ref)
      return location.reload();
    const hadEnded = sessionState.get() === "ended";
    queries.setQueryData(sessionQuery.queryKey, found);
    sessionState.set("present");
    // After a doubt that was none nothing is old, and what was refused would be refused again.
    if (hadEnded) void queries.invalidateQueries();
  }, [found, queries]);
};
