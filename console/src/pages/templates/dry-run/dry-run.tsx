/** What a template would do: its steps and log, and the files that it would make. */
import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { EmptyView, ErrorView, ForbiddenView, LoadingView } from "../../../parts/states/views.tsx";
import { CodeView } from "../../../parts/values/code-view.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { numbered } from "../form/json.ts";
import { contentOf, sizeText, treeOf, type FileNode } from "./file-tree.ts";
import classes from "./dry-run.module.css";

type Request = BuilderComponents["schemas"]["InstantiationRequest"];
type Result = BuilderComponents["schemas"]["DryRunResult"];

export interface DryRunProps {
  request: Request;
  /** Path of the file that is shown. */
  file: string | undefined;
  onFile: (path: string) => void;
}

/** The server ends one after 60 s, and sends what it has done by then. */
const longestMs = 90_000;

/** A dry run has no effects, so it is read like anything else, and again after a reload. */
const dryRunQuery = ({ templateRef, values, environmentOverrides }: Request) =>
  queryOptions({
    queryKey: [...keys.templates, templateRef, "dry-run", values, environmentOverrides],
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    queryFn: ({ signal }) =>
      call(
        api.builder.POST("/api/builder/templates/dry-run", {
          body: { templateRef, values, ...(environmentOverrides !== undefined && { environmentOverrides }) },
          signal,
          fetch: api.within(longestMs),
        }),
      ),
  });

export const DryRun = ({ request, file, onFile }: DryRunProps): ReactNode => {
  const query = useQuery(dryRunQuery(request));
  const { data, error, refetch, isFetching } = query;
  return (
    <section aria-label="Dry run" className={classes["section"]}>
      <Group gap="xs" mb="sm">
        <Title order={2}>Dry run</Title>
        {data !== undefined && <StatusBadge status={data.status} />}
        <Button
          loading={isFetching}
          leftSection={<Icon name="refresh" size={14} />}
          onClick={() => void refetch()}
        >
          Run again
        </Button>
      </Group>
      {error !== null && statusOf(error) === 403 && (
        <ForbiddenView what="try templates" who="developers and operators" error={error} />
      )}
      {error !== null && statusOf(error) !== 403 && (
        <ErrorView error={error} what="try this template" retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <LoadingView label="Loading the dry run" />}
      {data !== undefined && <Answer result={data} file={file} onFile={onFile} />}
    </section>
  );
};

const Answer = ({
  result,
  file,
  onFile,
}: {
  result: Result;
  file: string | undefined;
  onFile: (path: string) => void;
}): ReactNode => (
  <>
    {result.error !== null && (
      <Alert color="bad" mb="sm" icon={<Icon name="warning" />} title="It would fail">
        {result.error}
      </Alert>
    )}
    <Title order={3} mb={4}>
      Steps
    </Title>
    <ol className={classes["steps"]}>
      {result.steps.map(({ id, name, action }) => {
        const lines = result.log.filter(({ body }) => body.stepId === id);
        const status = lines.findLast(({ body }) => body.status !== undefined)?.body.status ?? "open";
        return (
          <li key={id}>
            <Group gap="xs">
              <Text size="sm" fw={550} span>
                {name}
              </Text>
              <StatusBadge status={status} />
              <Text size="xs" c="dimmed" span>
                {action}
              </Text>
            </Group>
            {numbered(lines)
              .filter(({ item: { body } }) => body.status === undefined || body.status === "skipped")
              .map(({ key, item: { body } }) => (
                <Text key={key} size="xs" c="dimmed" className={classes["line"]}>
                  {body.message}
                </Text>
              ))}
          </li>
        );
      })}
    </ol>
    <Title order={3} mt="md" mb={4}>
      Files
    </Title>
    {result.directoryContents.length === 0 ? (
      <EmptyView title="It makes no files" icon="log" />
    ) : (
      <Files result={result} file={file} onFile={onFile} />
    )}
  </>
);

const Files = ({
  result,
  file,
  onFile,
}: {
  result: Result;
  file: string | undefined;
  onFile: (path: string) => void;
}): ReactNode => {
  const files = result.directoryContents;
  const chosen = files.find(({ path }) => path === file) ?? files[0];
  if (chosen === undefined) return null;
  const { text, bytes } = contentOf(chosen.base64Content);
  return (
    <div className={classes["files"]}>
      <nav aria-label="Files">
        <Tree nodes={treeOf(files.map(({ path }) => path))} chosen={chosen.path} onFile={onFile} />
      </nav>
      <div className={classes["content"]}>
        <Text size="xs" c="dimmed" mb={4}>
          {chosen.path} · {sizeText(bytes)}
          {chosen.executable && " · executable"}
        </Text>
        {text === null ? (
          <EmptyView title="It is not text" icon="log" />
        ) : (
          <CodeView code={text} label={chosen.path} />
        )}
      </div>
    </div>
  );
};

interface TreeProps {
  nodes: readonly FileNode[];
  chosen: string;
  onFile: (path: string) => void;
}

const Tree = ({ nodes, chosen, onFile }: TreeProps): ReactNode => (
  <ul className={classes["tree"]}>
    {nodes.map(({ name, path, children }) => (
      <li key={path}>
        {children === null ? (
          <button
            type="button"
            className={classes["file"]}
            aria-current={path === chosen ? "true" : undefined}
            onClick={() => onFile(path)}
          >
            {name}
          </button>
        ) : (
          <details open>
            <summary className={classes["folder"]}>{name}</summary>
            <Tree nodes={children} chosen={chosen} onFile={onFile} />
          </details>
        )}
      </li>
    ))}
  </ul>
);
