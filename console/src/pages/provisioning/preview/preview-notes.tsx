import { Alert, List, Stack, Text } from "@mantine/core";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { componentNameOf, personOf } from "../names.ts";
import { ChangesTable } from "./changes-table.tsx";

export type Preview = CoordinatorComponents["schemas"]["ProvisioningPreview"];

/** All that stands in the way of a start, and who or what can move it. */
export const PreviewNotes = ({
  preview,
  environment,
}: {
  preview: Preview;
  environment: string;
}): ReactNode => {
  const { conflictingOperations, permission, closed } = preview;
  return (
    <Stack gap="xs">
      {conflictingOperations.length > 0 && (
        <section aria-label="Conflicts">
          <Alert color="bad" icon={<Icon name="warning" />} title="The targets contradict each other" mb="xs">
            Choose a target that fits for each of these components.
          </Alert>
          <ChangesTable changes={conflictingOperations} label="Conflicting changes" />
        </section>
      )}
      {permission !== undefined && <Permission permission={permission} environment={environment} />}
      {closed !== undefined && (
        <WaitingReason
          reason={`Nothing begins in ${environment} now: ${closed.reason}`}
          who={["operators"]}
          until={closed.opensAt}
          next={closed.opensAt === null ? null : "It opens; until then a start can wait."}
        />
      )}
      <Policies preview={preview} />
    </Stack>
  );
};

const Permission = ({
  permission: { verdict, rule, owners, whoMay },
  environment,
}: {
  permission: NonNullable<Preview["permission"]>;
  environment: string;
}): ReactNode => {
  const ownedBy =
    owners.length === 0 ? "It has no owner" : `It belongs to ${owners.map(personOf).join(", ")}`;
  return verdict === "approval" ? (
    <WaitingReason
      reason={`A start by you will wait for an approval, by the rule "${rule}".`}
      who={whoMay.length === 0 ? ["operators"] : [...whoMay, "operators"]}
      until={undefined}
      next={`It begins once it is approved. ${ownedBy}.`}
    />
  ) : (
    <Alert color="bad" icon={<Icon name="lock" />} title={`You may not start it in ${environment}`}>
      The rule “{rule}” refuses it. {ownedBy}.{" "}
      {whoMay.length > 0 && <>May start it: {whoMay.map(personOf).join(", ")}.</>}
    </Alert>
  );
};

const Policies = ({ preview }: { preview: Preview }): ReactNode => {
  const policyResults = preview.policyResults ?? [];
  const found = policyResults.filter(({ status, errors }) => status === "FAILED" || errors.errors.length > 0);
  if (found.length === 0)
    return policyResults.length === 0 ? null : (
      <Text size="sm" c="dimmed">
        All policies hold.
      </Text>
    );
  const blocks = found.some(({ status }) => status === "FAILED");
  return (
    <Alert
      color={blocks ? "bad" : "warn"}
      icon={<Icon name="shield" />}
      title={blocks ? "A policy forbids this" : "Policies have found something"}
    >
      <List size="sm" spacing={4} aria-label="Policy results">
        {found.map(({ componentId, errors }) => (
          <List.Item key={componentId}>
            <Text span size="sm" fw={550}>
              {componentNameOf(componentId)}
            </Text>
            : {errors.userMessage || errors.errors.join(" ")}
            {errors.moreInfo.solutions.map((each) => (
              <Text key={each} size="sm" c="dimmed">
                What to do: {each}
              </Text>
            ))}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
