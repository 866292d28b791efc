import { FileInput, Group, SegmentedControl, Select, Stack, Text, Textarea, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from "react";
import { entitiesOf, referenceOf, titleOf } from "../../../api/entity.ts";
import { newRequestKey } from "../../../api/request-key.ts";
import { ErrorView, LoadingView } from "../../../parts/states/views.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { parseDescriptor } from "./descriptor.ts";
import {
  archiveDescriptorQuery,
  deployedQuery,
  systemDescriptorQuery,
  systemsQuery,
  type BuiltDescriptor,
  type ChosenFile,
} from "./queries.ts";
import { sources, type Source } from "./words.ts";

const route = getRouteApi("/provision");

interface SourceProps {
  environment: string;
  onBuilt: (built: BuiltDescriptor | null) => void;
}

const words: Record<Source, string> = {
  catalogue: "Catalogue",
  unit: "Deployed unit",
  archive: "Archive",
  descriptor: "Descriptor",
};

export const SourceSection = ({
  built,
  ...props
}: SourceProps & { built: BuiltDescriptor | null }): ReactNode => {
  const { from, unit } = route.useSearch();
  const source = from ?? (unit === undefined ? "catalogue" : "unit");
  const navigate = route.useNavigate();
  return (
    <section aria-labelledby="what">
      <Title order={2} id="what" mb="xs">
        What
      </Title>
      <Stack gap="xs">
        <Group>
          <SegmentedControl
            size="xs"
            aria-label="From"
            value={source}
            data={sources
              .filter((value) => value !== "unit" || unit !== undefined)
              .map((value) => ({ value, label: words[value] }))}
            onChange={(value) =>
              void navigate({
                search: (old) => ({ ...old, from: value, without: undefined }),
                replace: true,
              })
            }
          />
        </Group>
        {source === "catalogue" && <FromCatalogue {...props} />}
        {source === "unit" && <FromUnit key={unit} unitId={unit ?? ""} {...props} />}
        {source === "archive" && <FromArchive {...props} />}
        {source === "descriptor" && <FromText {...props} />}
        {built !== null && (
          <Text size="sm" component="div">
            <b>{built.descriptor.name ?? built.descriptor.id}</b> {built.descriptor.version}{" "}
            <IdText id={built.descriptor.id} length={60} />
          </Text>
        )}
      </Stack>
    </section>
  );
};

/** Tells the page what the chosen source has: nothing at first, and nothing again as soon as something else is chosen. */
const useBuilt = (data: BuiltDescriptor | undefined, onBuilt: SourceProps["onBuilt"]): void => {
  const tell = useEffectEvent(onBuilt);
  useEffect(() => {
    tell(data ?? null);
  }, [data]);
};

const typingMs = 250;

const FromCatalogue = ({ environment, onBuilt }: SourceProps): ReactNode => {
  const { system } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text, typingMs);
  const systems = useQuery(systemsQuery(asked));
  const found = entitiesOf(systems.data?.items ?? []);
  const query = useQuery({
    ...systemDescriptorQuery(system ?? "", environment),
    enabled: system !== undefined,
  });
  useBuilt(system === undefined ? undefined : query.data, onBuilt);
  const options = found.map((entity) => ({ value: referenceOf(entity), label: titleOf(entity) }));
  const isListed = system === undefined || options.some(({ value }) => value === system);
  return (
    <>
      <Select
        label="System of the catalogue"
        placeholder="Name of the product"
        searchable
        maw="28rem"
        limit={30}
        filter={({ options: all }) => all}
        data={isListed ? options : [{ value: system, label: system }, ...options]}
        value={system ?? null}
        onSearchChange={(typed) => setText(options.some(({ label }) => label === typed) ? "" : typed)}
        nothingFoundMessage={systems.isPending ? "Looking…" : "The catalogue has no such system"}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, system: value ?? undefined, without: undefined }),
            replace: true,
          })
        }
      />
      {systems.isError && (
        <ErrorView error={systems.error} what="search the catalogue" retry={() => void systems.refetch()} />
      )}
      {query.isLoading && <LoadingView label="Loading the descriptor" lines={2} />}
      {query.isError && (
        <ErrorView error={query.error} what="build the descriptor" retry={() => void query.refetch()} />
      )}
    </>
  );
};

const FromUnit = ({ unitId, environment, onBuilt }: SourceProps & { unitId: string }): ReactNode => {
  const query = useQuery(deployedQuery(unitId, environment));
  const descriptor = query.data?.descriptor ?? null;
  const [built, setBuilt] = useState<BuiltDescriptor>();
  if (descriptor !== null && built?.descriptor !== descriptor) setBuilt({ descriptor, warnings: [] });
  useBuilt(descriptor === null ? undefined : built, onBuilt);
  if (query.isLoading) return <LoadingView label="Loading the descriptor" lines={2} />;
  if (query.isError)
    return <ErrorView error={query.error} what="read what is deployed" retry={() => void query.refetch()} />;
  return descriptor === null ? (
    <Text size="sm" c="dimmed">
      Nothing of this unit is deployed in {environment}. Choose it from the catalogue, or send its descriptor.
    </Text>
  ) : null;
};

const FromArchive = ({ environment, onBuilt }: SourceProps): ReactNode => {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const query = useQuery(archiveDescriptorQuery(chosen, environment));
  useBuilt(query.data, onBuilt);
  return (
    <>
      <FileInput
        label="Archive of the product"
        description="A .tar.gz file with one directory for each entity"
        placeholder="Choose a file"
        accept=".tar.gz,.tgz,application/gzip"
        size="xs"
        maw="28rem"
        clearable
        onChange={(file) => setChosen(file === null ? null : { file, choice: newRequestKey() })}
      />
      {query.isLoading && <LoadingView label="Loading the descriptor" lines={2} />}
      {query.isError && (
        <ErrorView
          error={query.error}
          what="build the descriptor"
          kind="readOnce"
          retry={() => void query.refetch()}
        />
      )}
    </>
  );
};

const FromText = ({ onBuilt }: SourceProps): ReactNode => {
  const [text, setText] = useState("");
  const parsed = useMemo(() => (text.trim() === "" ? undefined : parseDescriptor(text)), [text]);
  const built = useMemo(
    () =>
      parsed !== undefined && "descriptor" in parsed
        ? { descriptor: parsed.descriptor, warnings: [] }
        : undefined,
    [parsed],
  );
  useBuilt(built, onBuilt);
  const latest = useRef<File | null>(null);
  const read = async (file: File): Promise<void> => {
    latest.current = file;
    const content = await file.text();
    // What is written or chosen while a file is read is what is meant.
    if (latest.current === file) setText(content);
  };
  return (
    <>
      <FileInput
        label="Descriptor from a file"
        placeholder="Choose a file"
        accept=".json,.yaml,.yml,application/json"
        size="xs"
        maw="28rem"
        onChange={(file) => {
          if (file !== null) void read(file);
        }}
      />
      <Textarea
        label="Descriptor as JSON or YAML"
        value={text}
        onChange={({ currentTarget }) => {
          latest.current = null;
          setText(currentTarget.value);
        }}
        error={parsed !== undefined && "problem" in parsed ? parsed.problem : undefined}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.75rem" } }}
      />
    </>
  );
};
