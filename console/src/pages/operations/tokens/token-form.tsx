import { Button, Checkbox, Group, NumberInput, Stack, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import type { MadeToken } from "./queries.ts";
import { RoleBoxes } from "./role-boxes.tsx";

const areas = ["coordinator", "builder", "governance", "assistant", "data-layer", "auth", "platform"];
const scopes = ["all", "read", ...areas.flatMap((area) => [`${area}:read`, area])];
const defaultDays = 30;
const longestDays = 3650;

interface Draft {
  name: string;
  roles: string[];
  scopes: string[];
  days: number;
}

export interface TokenFormProps {
  roles: readonly string[];
  service: string | undefined;
  onMade: (token: MadeToken) => void;
  onClose: () => void;
}

const useMaking = ({ service, onMade }: TokenFormProps) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, roles, scopes: chosen, days }: Draft) =>
      call(
        api.auth.POST("/api/auth/v1/tokens", {
          body: {
            name: name.trim(),
            roles: roles as MadeToken["roles"],
            scopes: chosen,
            expiresInDays: days,
            ...(service !== undefined && { service }),
          },
        }),
      ),
    onSuccess: async (token) => {
      onMade(token);
      await queryClient.invalidateQueries({ queryKey: keys.tokens });
      await queryClient.invalidateQueries({ queryKey: keys.serviceAccounts });
    },
  });
};

export const TokenForm = (props: TokenFormProps): ReactNode => {
  const { roles, onClose } = props;
  const [draft, setDraft] = useState<Draft>({
    name: "",
    roles: [...roles],
    scopes: ["all"],
    days: defaultDays,
  });
  const change = (part: Partial<Draft>): void => setDraft((previous) => ({ ...previous, ...part }));
  const making = useMaking(props);
  const isComplete = draft.name.trim() !== "" && draft.roles.length > 0 && draft.scopes.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(draft);
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-start" grow>
          <TextInput
            label="What it is for"
            required
            data-autofocus
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <NumberInput
            label="Days until it ends"
            size="xs"
            min={1}
            max={longestDays}
            allowDecimal={false}
            value={draft.days}
            onChange={(value) => change({ days: Number(value) })}
          />
        </Group>
        <RoleBoxes
          roles={roles}
          chosen={draft.roles}
          onChange={(chosen) => change({ roles: chosen })}
          description="At each use it has no more than its owner has then."
        />
        <TagsInput
          label="Scopes"
          size="xs"
          description="What it may be used for: an area, or what only reads there."
          data={scopes}
          value={draft.scopes}
          onChange={(chosen) => change({ scopes: chosen })}
        />
        {draft.scopes.includes("all") && draft.scopes.length > 1 && (
          <Checkbox
            label="Only the other scopes, not everything"
            checked={false}
            onChange={() => change({ scopes: draft.scopes.filter((scope) => scope !== "all") })}
          />
        )}
        {making.error !== null && <ErrorView error={making.error} what="make the token" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={making.isPending} disabled={!isComplete}>
            Make token
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
