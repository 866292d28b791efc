import { Badge, Code, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { Loaded } from "../../../parts/states/views.tsx";
import { shortId } from "../names.ts";
import classes from "./descriptor.module.css";
import { diffQuery } from "./queries.ts";
import type { SideChoice } from "./sides.ts";

type Difference = CoordinatorComponents["schemas"]["ComponentDiff"];

/** Which components differ, and in what, before the whole text. */
export const ChangedComponents = ({
  id,
  left,
  right,
}: {
  id: string;
  left: SideChoice;
  right: SideChoice;
}): ReactNode => (
  <Loaded query={useQuery(diffQuery(id, left.side, right.side))} what="compare the versions">
    {({ identical, components }) => {
      const changed = components.filter(({ result }) => result !== "IDENTICAL");
      const count = changed.filter(({ componentId }) => componentId !== id).length;
      return (
        <section aria-label="Changed components">
          <Title order={2} mb="xs">
            {identical
              ? "Nothing differs"
              : count === 0
                ? "No component differs, the unit itself does"
                : `${count} ${count === 1 ? "component differs" : "components differ"}`}
          </Title>
          <ul className={classes["list"]}>
            {changed.map((difference) => (
              <OneComponent
                key={difference.componentId}
                difference={difference}
                unitId={id}
                names={{ left: left.side.environment, right: right.side.environment }}
              />
            ))}
          </ul>
        </section>
      );
    }}
  </Loaded>
);

const OneComponent = ({
  difference,
  unitId,
  names,
}: {
  difference: Difference;
  unitId: string;
  names: { left: string; right: string };
}): ReactNode => {
  const { componentId, result, status, descriptorVersion, changedFields, hasMoreChangedFields } = difference;
  // The version is said beside the name.
  const fields = changedFields.filter(({ field }) => field !== "/version");
  return (
    <li className={classes["component"]}>
      <Group gap="xs">
        <Text fw={600} size="sm" title={componentId} span>
          {componentId === unitId ? "The unit itself" : shortId(componentId)}
        </Text>
        {result === "ONLY_IN_ENVIRONMENT" && <Badge color="warn">only in the first</Badge>}
        {result === "ONLY_IN_OTHER_ENVIRONMENT" && <Badge color="accent">only in the second</Badge>}
        {descriptorVersion.environment !== descriptorVersion.otherEnvironment && (
          <Change
            what="version"
            before={descriptorVersion.environment}
            after={descriptorVersion.otherEnvironment}
          />
        )}
        {status.environment !== null &&
          status.otherEnvironment !== null &&
          status.environment !== status.otherEnvironment && (
            <Change
              what={`status in ${names.left} and ${names.right}`}
              before={status.environment}
              after={status.otherEnvironment}
            />
          )}
      </Group>
      {fields.map(({ field, environment, otherEnvironment }) => (
        <div key={field}>
          <Code>{field}</Code> <Change before={valueText(environment)} after={valueText(otherEnvironment)} />
        </div>
      ))}
      {hasMoreChangedFields && <div>and more</div>}
    </li>
  );
};

const Change = ({ what, before, after }: { what?: string; before: string; after: string }): ReactNode => (
  <Text size="sm" span style={{ overflowWrap: "anywhere" }}>
    {what !== undefined && `${what} `}
    <del>{before === "" ? "–" : before}</del> → <ins>{after === "" ? "–" : after}</ins>
  </Text>
);

const longest = 160;

const valueText = (value: unknown): string => {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};
