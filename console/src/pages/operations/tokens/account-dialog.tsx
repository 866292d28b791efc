import { Button, Group, Modal, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AuthComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { roles as allRoles } from "../words.ts";
import { nameFault } from "./account-name.ts";
import { serviceAccountsQuery, type Role, type ServiceAccount } from "./queries.ts";
import { RoleBoxes } from "./role-boxes.tsx";

export interface AccountDialogProps {
  /** The one to change; without it one is made. */
  account?: ServiceAccount;
  onClose: () => void;
}

export const AccountDialog = ({ account, onClose }: AccountDialogProps): ReactNode => (
  <Modal
    opened
    onClose={onClose}
    title={account === undefined ? "New service account" : `Change ${account.name}`}
    closeButtonProps={{ "aria-label": "Close" }}
  >
    <AccountForm onClose={onClose} {...(account !== undefined && { account })} />
  </Modal>
);

const AccountForm = ({ account, onClose }: AccountDialogProps): ReactNode => {
  const [name, setName] = useState(account?.name ?? "");
  const [roles, setRoles] = useState<string[]>(account?.roles ?? []);
  const [domains, setDomains] = useState<string[]>(account?.domains ?? []);
  const [description, setDescription] = useState(account?.description ?? "");
  const saving = useSaving(account, onClose);
  const known = useQuery(serviceAccountsQuery).data?.data ?? [];
  // While it is saved, the list has it already.
  const fault = account === undefined && !saving.isPending ? nameFault(name, known) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate({
          name: name.trim(),
          body: {
            roles: roles as Role[],
            ...(domains.length > 0 && { domains }),
            ...(description.trim() !== "" && { description: description.trim() }),
          },
        });
      }}
    >
      <Stack gap="sm">
        {account === undefined && (
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            error={fault}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        <RoleBoxes
          roles={allRoles}
          chosen={roles}
          onChange={setRoles}
          description="All its tokens have them within three seconds."
        />
        <TagsInput
          label="Domains"
          size="xs"
          description="Whose operational rows it reads in the data layer."
          value={domains}
          onChange={setDomains}
        />
        <Textarea
          label="What it is for"
          size="xs"
          autosize
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        {saving.error !== null && <ErrorView error={saving.error} what="save the service account" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="filled"
            loading={saving.isPending}
            disabled={name.trim() === "" || fault !== null || roles.length === 0}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

interface Saved {
  name: string;
  body: AuthComponents["schemas"]["ServiceAccountChange"];
}

const useSaving = (account: ServiceAccount | undefined, onClose: () => void) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body }: Saved) =>
      call(
        api.auth.PUT("/api/auth/v1/service-accounts/{name}", {
          params: {
            path: { name },
            // One that was made meanwhile stays as it is.
            ...(account === undefined && { header: { "if-none-match": "*" } }),
          },
          body,
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.serviceAccounts });
      onClose();
    },
  });
};
