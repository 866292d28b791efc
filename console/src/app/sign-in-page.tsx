import { Alert, Button, Paper, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { signInAddress, useSession } from "../api/session.ts";
import { Icon } from "../parts/page/icon.tsx";
import { PageHeader } from "../parts/page/page-header.tsx";

const route = getRouteApi("/sign-in");

/** By the codes that the server's callback gives. */
const failures: Record<string, string> = {
  denied: "You said no at the identity provider, so nothing was signed in.",
  expired:
    "The sign-in took longer than ten minutes, was begun in another browser, or was used already. Begin again.",
  provider: "The identity provider answered with an error.",
  unavailable: "The identity provider cannot be reached at the moment. Try again in a minute.",
  refused:
    "You are known to the identity provider, but this server does not accept its token. Ask whoever runs it.",
  "unknown-provider": "This server has no identity provider of that name for browsers.",
};

export const SignInPage = (): ReactNode => {
  const { returnTo = "/", error, requestId, reason } = route.useSearch();
  const session = useSession();
  const navigate = useNavigate();
  const isSignedIn = session?.caller != null;
  const target = /^\/(?!\/)/.test(returnTo) ? returnTo : "/";
  useEffect(() => {
    if (isSignedIn) void navigate({ href: target, replace: true });
  }, [isSignedIn, navigate, target]);
  const providers = session?.providers ?? [];
  return (
    <Paper p="xl">
      <PageHeader title="Sign in to Plinth" documentTitle="Sign in" />
      <Stack gap="sm">
        {reason === "expired" && (
          <Alert color="warn" icon={<Icon name="clock" />} title="Your session has ended">
            Sign in again and you come back to where you were.
          </Alert>
        )}
        {reason === "signed-out" && <Text size="sm">You are signed out.</Text>}
        {error !== undefined && (
          <Alert color="bad" icon={<Icon name="warning" />} title="The sign-in did not succeed" role="alert">
            {failures[error] ?? failures["provider"]}
            {requestId !== undefined && <Text size="xs">Request {requestId}</Text>}
          </Alert>
        )}
        {providers.map((provider) => (
          <Button
            key={provider.name}
            component="a"
            href={signInAddress(provider, target)}
            size="md"
            variant="filled"
            fullWidth
          >
            Sign in with {provider.title}
          </Button>
        ))}
        {providers.length === 0 && !isSignedIn && (
          <Text size="sm">
            Nobody can sign in with a browser here, because no identity provider is configured for it. Whoever
            runs this server sets <code>auth.providers.&lt;name&gt;.&lt;environment&gt;.browser</code>.
          </Text>
        )}
      </Stack>
    </Paper>
  );
};
