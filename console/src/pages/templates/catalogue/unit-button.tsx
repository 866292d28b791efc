import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { useEnvironment } from "../../../api/environments.ts";
import { call } from "../../../api/error.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { isRecord } from "../form/json.ts";

/** Goes to the unit that a system describes. Its descriptor has the id, and is built when it is asked for; else it says why it cannot be. */
export const UnitButton = ({ systemRef }: { systemRef: string }): ReactNode => {
  const { environment } = useEnvironment();
  const navigate = useNavigate();
  const find = useMutation({
    mutationFn: () =>
      call(api.builder.POST("/api/builder/descriptor/preview", { body: { systemRef, environment } })),
    async onSuccess({ descriptor }) {
      const unitId: unknown = isRecord(descriptor) ? descriptor["id"] : undefined;
      if (typeof unitId === "string") await navigate({ to: "/units/$unitId", params: { unitId } });
    },
  });
  return (
    <>
      <Button loading={find.isPending} onClick={() => find.mutate()}>
        Unit
      </Button>
      <Modal opened={find.isError} onClose={find.reset} title="The unit of this system" size="lg">
        <ErrorView error={find.error} what={`build its descriptor for ${environment}`} kind="readOnce" />
      </Modal>
    </>
  );
};
