import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { EarlierRequestExists } from "../../api/access-requests/requester.ts";
import { Icon } from "../page/icon.tsx";
import { PageLink } from "../page/page-link.tsx";
import { ErrorView } from "./views.tsx";

/** Why an access request was not opened; the request that there is already can be looked at. */
export const RequestFailure = ({ error }: { error: unknown }): ReactNode =>
  error instanceof EarlierRequestExists ? (
    <Alert
      role="alert"
      color="warn"
      icon={<Icon name="warning" />}
      title="The request that you sent before has arrived"
    >
      <Text size="sm" mb="xs">
        No answer came when you sent it. What you have changed since is not in it, and was not sent. Send
        again if you need both requests.
      </Text>
      {error.requestId === null ? (
        <PageLink to="/access" size="sm">
          See your requests
        </PageLink>
      ) : (
        <PageLink to="/access/$requestId" params={{ requestId: error.requestId }} size="sm">
          See that request
        </PageLink>
      )}
    </Alert>
  ) : (
    <ErrorView error={error} what="send the request" />
  );
