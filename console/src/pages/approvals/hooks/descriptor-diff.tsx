import { Accordion, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { DiffView } from "../../../parts/code/diff-view.tsx";
import { changedFieldsAsYaml } from "../../../parts/code/yaml.ts";
import { wordsOf } from "../../../parts/values/text.ts";
import { shortName } from "../parts/names.ts";
import type { Deployment } from "./queries.ts";

type Diff = NonNullable<Deployment["diff"]>;
type ComponentDiff = Diff["components"][number];

/** What is deployed now beside what the plan deploys, of each component that differs; the first ones are open. */
export const DescriptorDiff = ({ diff }: { diff: Diff }): ReactNode => {
  const changed = diff.components
    .filter(({ result }) => result !== "IDENTICAL")
    .toSorted((a, b) => Number(b.result === "DIFFERENT") - Number(a.result === "DIFFERENT"));
  const [open, setOpen] = useState<string[]>(() =>
    changed
      .filter(({ changedFields }) => changedFields.length > 0)
      .slice(0, 1)
      .map(({ componentId }) => componentId),
  );
  if (diff.identical || changed.length === 0)
    return <Text size="sm">Nothing: the same descriptor is deployed.</Text>;
  return (
    <Accordion multiple value={open} onChange={setOpen} variant="contained" order={3}>
      {changed.map((component) => (
        <Accordion.Item key={component.componentId} value={component.componentId}>
          <Accordion.Control>
            <Text size="sm" component="span" fw={550} title={component.componentId}>
              {shortName(component.componentId)}
            </Text>{" "}
            <Text size="sm" c="dimmed" component="span">
              {summaryOf(component)}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            {open.includes(component.componentId) && <Fields component={component} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
};

const summaryOf = ({ result, descriptorVersion, differences, changedFields }: ComponentDiff): string => {
  if (result === "ONLY_IN_OTHER_ENVIRONMENT") return `new, ${descriptorVersion.otherEnvironment}`;
  if (result === "ONLY_IN_ENVIRONMENT") return "is not in the new descriptor";
  const { environment, otherEnvironment } = descriptorVersion;
  const version = environment === otherEnvironment ? [] : [`${environment} → ${otherEnvironment}`];
  const fields = changedFields.length === 1 ? "1 field" : `${changedFields.length} fields`;
  const others = differences.filter((each) => each === "STATUS").map(wordsOf);
  return [...version, ...(changedFields.length > 0 ? [fields] : []), ...others].join(", ");
};

const Fields = ({ component }: { component: ComponentDiff }): ReactNode => {
  const { changedFields, hasMoreChangedFields, descriptorVersion, componentId, status, result } = component;
  if (result !== "DIFFERENT")
    return (
      <Text size="sm">
        {result === "ONLY_IN_ENVIRONMENT"
          ? "It is deployed, and not in the new descriptor."
          : "It is new: nothing of it is deployed."}
      </Text>
    );
  return (
    <>
      {changedFields.length === 0 ? (
        <Text size="sm">
          Its status only: {wordsOf(status.environment ?? "not there")} →{" "}
          {wordsOf(status.otherEnvironment ?? "not there")}
        </Text>
      ) : (
        <DiffView
          label={`Changes of ${shortName(componentId)}`}
          before={changedFieldsAsYaml(changedFields, "environment")}
          after={changedFieldsAsYaml(changedFields, "otherEnvironment")}
          beforeTitle={`deployed ${descriptorVersion.environment || "never"}`}
          afterTitle={`to deploy ${descriptorVersion.otherEnvironment}`}
        />
      )}
      {hasMoreChangedFields && (
        <Text size="xs" c="dimmed">
          More fields differ than are listed.
        </Text>
      )}
    </>
  );
};
