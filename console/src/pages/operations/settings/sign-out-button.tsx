import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { signOut } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";

export const SignOutButton = (): ReactNode => {
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: (address) => location.assign(address),
  });
  return (
    <>
      <Button
        leftSection={<Icon name="exit" size={14} />}
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        Sign out
      </Button>
      {leaving.error !== null && <ErrorView error={leaving.error} what="sign you out" />}
    </>
  );
};
