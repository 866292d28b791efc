import { Button } from "@mantine/core";
import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isOfMissingFile, useReloadWhenServed } from "./missing-files.ts";
import { PageHeader } from "../parts/page/page-header.tsx";
import { EmptyView, ErrorView, LoadingView } from "../parts/states/views.tsx";

export const NotFoundPage = (): ReactNode => (
  <>
    <PageHeader title="Page not found" />
    <EmptyView
      title="There is no page at this address"
      icon="unknown"
      action={
        <Button component={Link} to="/" mt="xs">
          Go to the overview
        </Button>
      }
    >
      The link may be old, or a letter of it is missing.
    </EmptyView>
  </>
);

/** What a page threw. */
export const RouteError = ({ error, reset }: ErrorComponentProps): ReactNode => {
  const router = useRouter();
  const isMissing = isOfMissingFile(error);
  useReloadWhenServed(isMissing);
  if (isMissing) {
    return (
      <>
        <PageHeader title="This page is not loaded yet" />
        <EmptyView
          title="Its files did not arrive"
          icon="external"
          action={<Button onClick={() => location.reload()}>Load it now</Button>}
        >
          It is loaded as soon as the server answers, but not while a question to the assistant is typed
          beside it, which would be lost.
        </EmptyView>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Something went wrong" />
      <ErrorView
        error={error}
        what="show this page"
        retry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </>
  );
};

export const RoutePending = (): ReactNode => <LoadingView label="Loading the page" />;
