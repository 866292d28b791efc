/** Parts of the frame that are loaded when they are first shown. */
import { Alert, Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Icon } from "../parts/page/icon.tsx";
import { isServerThere } from "./missing-files.ts";

export interface LoadedPartProps<Part> {
  /** As the rest of "… could not be loaded". */
  name: string;
  load: () => Promise<Part>;
  /** While it is on its way. */
  fallback?: ReactNode;
  /** Around what is said in the place of a part that did not arrive, such as a dialog. */
  renderFailure?: (failure: ReactNode) => ReactNode;
  children: (part: Part) => ReactNode;
}

/**
 * Loads a part of the page from a file of its own. The file is read with a query, as data is: when that fails, the rest of the page
 * stays, and the file is asked for again when the server is back.
 */
export const LoadedPart = <Part,>(props: LoadedPartProps<Part>): ReactNode => {
  const { name, load, fallback = null, renderFailure = (failure) => failure, children } = props;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["file", name],
    queryFn: async () => {
      try {
        return await load();
      } catch (failure) {
        await isServerThere();
        throw failure;
      }
    },
    retry: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  if (data !== undefined) return children(data);
  if (error === null) return fallback;
  return renderFailure(<NotLoaded name={name} isAsking={isFetching} onRetry={() => void refetch()} />);
};

interface NotLoadedProps {
  name: string;
  isAsking: boolean;
  onRetry: () => void;
}

const NotLoaded = ({ name, isAsking, onRetry }: NotLoadedProps): ReactNode => (
  <Stack gap="xs">
    <Alert role="alert" color="warn" icon={<Icon name="warning" />} title={`${name} could not be loaded`}>
      Its file did not arrive: the server is away, or was upgraded after this page was loaded. The rest of the
      page stays as it is. To load the page anew drops what is typed there.
    </Alert>
    <Group gap="xs">
      <Button loading={isAsking} onClick={onRetry} data-autofocus>
        Try again
      </Button>
      <Button onClick={() => location.reload()}>Load the page anew</Button>
    </Group>
  </Stack>
);
