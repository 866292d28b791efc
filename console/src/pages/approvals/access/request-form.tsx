import { Button, Group, Select, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { referenceOf, titleOf, type Entity } from "../../../api/entity.ts";
import { useEnvironment } from "../../../api/environments.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { RequestFailure } from "../../../parts/states/request-failure.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { accessTemplatesQuery } from "./queries.ts";
import { IdentityPicker, PortPicker } from "./request-pickers.tsx";
import { TemplateField } from "./template-fields.tsx";
import { operationOf } from "./template-form.ts";
import { UnitPicker } from "./unit-picker.tsx";
import { useRequest, type Operation, type Request } from "./use-request.ts";

export const RequestForm = ({ operation }: { operation: Operation }): ReactNode => (
  <>
    <PageHeader
      title={operation === "GRANT" ? "Request access" : "Take access away"}
      description={
        operation === "GRANT"
          ? "Others decide, mostly the owner of the unit."
          : "Others keep the access that they have."
      }
    />
    <Loaded query={useQuery(accessTemplatesQuery)} what="read the forms for access requests">
      {(templates) => (
        <Form
          operation={operation}
          templates={templates.filter((each) => (operationOf(each) ?? operation) === operation)}
        />
      )}
    </Loaded>
  </>
);

interface FormProps {
  operation: Operation;
  templates: readonly Entity[];
}

const Form = ({ operation, templates }: FormProps): ReactNode => {
  const request = useRequest(operation, templates);
  const { sending, send } = request;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="sm" maw="38rem">
        <What request={request} operation={operation} />
        <TemplateFields request={request} templates={templates} />
        {sending.error !== null && <RequestFailure error={sending.error} />}
        <Group gap="xs">
          <Button type="submit" variant="filled" loading={sending.isPending}>
            {operation === "GRANT" ? "Send the request" : "Ask to take it away"}
          </Button>
          <ButtonLink to="/access">Cancel</ButtonLink>
        </Group>
      </Stack>
    </form>
  );
};

const What = ({ request, operation }: { request: Request; operation: Operation }): ReactNode => {
  const { unit, draft, faults, change, chooseUnit } = request;
  const { environment, environments, choose } = useEnvironment();
  return (
    <>
      <Select
        label="In environment"
        data={environments}
        value={environment}
        onChange={(name) => {
          if (name !== null) choose(name);
        }}
      />
      <UnitPicker environment={environment} value={unit} error={faults["unit"]} onChange={chooseUnit} />
      <PortPicker
        unitId={unit}
        environment={environment}
        value={draft.ports}
        error={faults["ports"]}
        onChange={(ports) => change({ ports })}
      />
      <IdentityPicker
        operation={operation}
        value={draft.identities}
        error={faults["identities"]}
        onChange={(identities) => change({ identities })}
      />
    </>
  );
};

/** The form that the catalogue has for such requests, with a reason where it does not ask for one. */
const TemplateFields = ({
  request,
  templates,
}: {
  request: Request;
  templates: readonly Entity[];
}): ReactNode => {
  const { draft, fields, faults, change } = request;
  return (
    <>
      {templates.length > 1 && (
        <Select
          label="Form"
          data={templates.map((each) => ({ value: referenceOf(each), label: titleOf(each) }))}
          value={draft.templateRef}
          onChange={(templateRef) => change({ templateRef, values: {} })}
        />
      )}
      {fields.map((field) => (
        <TemplateField
          key={`${draft.templateRef} ${field.name}`}
          field={field}
          value={draft.values[field.name] ?? field.initial}
          error={faults[field.name]}
          onChange={(value) => change({ values: { ...draft.values, [field.name]: value } })}
        />
      ))}
      {!fields.some(({ name }) => name === "reason") && (
        <Textarea
          size="xs"
          label="Reason"
          description="For those who decide."
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.reason}
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
      )}
    </>
  );
};
