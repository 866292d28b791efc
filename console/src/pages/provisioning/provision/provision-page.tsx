import { Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { EmptyView } from "../../../parts/states/views.tsx";
import { componentsOf } from "./descriptor.ts";
import { PreviewSection } from "./preview-section.tsx";
import type { BuiltDescriptor } from "./queries.ts";
import { SourceSection } from "./source-section.tsx";
import { TargetsSection } from "./targets-section.tsx";

const route = getRouteApi("/provision");

/** What, in which state, with which changes: each part appears when the one before it is known. */
export const ProvisionPage = (): ReactNode => {
  const { environment } = useEnvironment();
  const { without = "", removeData = false, onlyChanged = false } = route.useSearch();
  const [built, setBuilt] = useState<BuiltDescriptor | null>(null);
  const absent = new Set(without.split(",").filter((id) => id !== ""));
  return (
    <>
      <PageHeader
        title="Provision"
        description={`Deploy, change or undeploy a unit in ${environment}. Nothing happens before you start it.`}
      />
      <Stack gap="lg">
        <SourceSection environment={environment} built={built} onBuilt={setBuilt} />
        {built === null ? (
          <EmptyView title="Choose what to provision" icon="units">
            Then you see what would change, component by component.
          </EmptyView>
        ) : componentsOf(built.descriptor).length === 0 ? (
          <EmptyView title="It has no components" icon="units">
            There is nothing to deploy in this descriptor.
          </EmptyView>
        ) : (
          <>
            {built.warnings.map((warning) => (
              <Text key={warning} size="sm" c="warn">
                {warning}
              </Text>
            ))}
            <TargetsSection descriptor={built.descriptor} absent={absent} />
            <PreviewSection
              key={`${built.descriptor.id} ${environment}`}
              descriptor={built.descriptor}
              environment={environment}
              absent={absent}
              removeData={removeData}
              preventRedeploy={onlyChanged}
            />
          </>
        )}
      </Stack>
    </>
  );
};
