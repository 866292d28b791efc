/** Picks a repository: host, place on it and name. With a token of the host its owners and repositories are proposed. */
import { Autocomplete, Button, Group, PasswordInput, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { WidgetProps } from "@rjsf/utils";
import { useState, type ReactNode } from "react";
import { api } from "../../../../api/client.ts";
import { call } from "../../../../api/error.ts";
import classes from "../form.module.css";
import { inputProps } from "../input-props.ts";
import type { Pick } from "../split-schema.ts";
import { partsOf, placeFieldsOf, providerOf, repoUrlOf, withPart, type RepoParts } from "./repo-url.ts";

interface Proposals {
  owners: string[];
  repositories: string[];
}

export const RepositoryWidget = (props: WidgetProps): ReactNode => {
  const { id, label, readOnly, error, withAsterisk, description } = inputProps(props);
  const pick = props.options["pick"] as Pick | undefined;
  // A name alone has no place for the other parts, which stay here while the host is written anew.
  const [written, setWritten] = useState(() => partsOf(props.value));
  const parts = repoUrlOf(written) === props.value ? written : partsOf(props.value);
  const [proposals, setProposals] = useState<Proposals>({ owners: [], repositories: [] });
  const change = (next: RepoParts): void => {
    setWritten(next);
    props.onChange(repoUrlOf(next));
  };
  const field = { size: "xs" as const, readOnly, comboboxProps: { withinPortal: false } };
  const hosts = pick?.hosts ?? [];
  const provider = providerOf(parts.host);
  return (
    <fieldset className={classes["group"]} id={id}>
      <legend className={classes["legend"]}>
        {label}
        {withAsterisk && (
          <span aria-hidden className={classes["star"]}>
            {" *"}
          </span>
        )}
      </legend>
      <Text size="xs" c="dimmed" mb={4}>
        {description ?? "Without a host it is published on this server."}
      </Text>
      <div className={classes["row"]}>
        <Autocomplete
          {...field}
          label="Host"
          data={hosts}
          value={parts.host}
          onChange={(host) => change({ ...parts, host })}
        />
        {placeFieldsOf(parts, pick).map(({ name, label: title, proposals: named }) => (
          <Autocomplete
            key={name}
            {...field}
            label={title}
            data={[...new Set([...named, ...(name === provider?.ownersAre ? proposals.owners : [])])]}
            value={parts.parameters.get(name) ?? ""}
            disabled={parts.host === ""}
            onChange={(text) => change(withPart(parts, name, text))}
          />
        ))}
        <Autocomplete
          {...field}
          label="Repository"
          data={[...new Set([...(pick?.repositories ?? []), ...proposals.repositories])]}
          value={parts.parameters.get("repo") ?? ""}
          error={error}
          onChange={(repo) => change(withPart(parts, "repo", repo))}
        />
      </div>
      {provider !== undefined && <Suggestions key={parts.host} host={parts.host} onFound={setProposals} />}
    </fieldset>
  );
};

/** The token stays in this field: it goes to the host through the server and is kept nowhere. */
const Suggestions = ({ host, onFound }: { host: string; onFound: (found: Proposals) => void }): ReactNode => {
  const [token, setToken] = useState("");
  const ask = useMutation({
    mutationFn: async () => {
      const known = providerOf(host);
      const list = async (resource: string | null | undefined): Promise<string[]> =>
        known === undefined || resource === null || resource === undefined
          ? []
          : (await askFor(known.provider, resource, { token, host })).map(({ id, title }) => title ?? id);
      return { owners: await list(known?.owners), repositories: await list(known?.repositories) };
    },
    onSuccess: ({ owners, repositories }) =>
      onFound({ owners, repositories: repositories.map((name) => name.split("/").at(-1) ?? name) }),
  });
  return (
    <Group gap="xs" align="flex-end" mt="xs">
      <PasswordInput
        size="xs"
        w="16rem"
        label={`Token of ${host}, for suggestions`}
        value={token}
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the token" }}
        onChange={({ currentTarget }) => setToken(currentTarget.value)}
        error={ask.error?.message}
      />
      <Button disabled={token === ""} loading={ask.isPending} onClick={() => ask.mutate()}>
        Suggest
      </Button>
      {ask.isSuccess && (
        <Text size="xs" c="dimmed" role="status">
          {ask.data.owners.length} owners, {ask.data.repositories.length} repositories
        </Text>
      )}
    </Group>
  );
};

const askFor = async (
  provider: string,
  resource: string,
  { token, host }: { token: string; host: string },
): Promise<readonly { id: string; title?: string }[]> =>
  (
    await call(
      api.builder.POST("/api/scaffolder/v2/autocomplete/{provider}/{resource}", {
        params: { path: { provider, resource } },
        body: { token, context: { host } },
      }),
    )
  ).results;
