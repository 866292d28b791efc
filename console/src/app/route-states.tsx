import { Button } from "@mantine/core";
import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
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

/** What a page threw. A page of an older build asks for files that a newer server no longer has: then the page is loaded anew, once. */
export const RouteError = ({ error, reset }: ErrorComponentProps): ReactNode => {
  const router = useRouter();
  const isOldBuild = /dynamically imported module|module script|preload CSS/i.test(String(error));
  useEffect(() => {
    const isReloaded = sessionStorage.getItem("plinth-reloaded") === location.pathname;
    if (!isOldBuild || isReloaded) return;
    sessionStorage.setItem("plinth-reloaded", location.pathname);
    location.reload();
  }, [isOldBuild]);
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
