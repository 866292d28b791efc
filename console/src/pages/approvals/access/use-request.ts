import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { referenceOf, type Entity } from "../../../api/entity.ts";
import { useEnvironment } from "../../../api/environments.ts";
import { useAccessRequest } from "../../../api/access-requests/use-access-request.ts";
import { useCallerRefs } from "../parts/people.tsx";
import { bodyOf, faultsOf, type Draft, type Faults } from "./request-draft.ts";
import { fieldsOf } from "./template-form.ts";

const route = getRouteApi("/access");

export type Operation = "GRANT" | "REVOKE";

/** A request that is being written: unit and environment are in the address, the rest is kept here. */
export const useRequest = (operation: Operation, templates: readonly Entity[]) => {
  const { unit = "", port, identity } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const [caller] = useCallerRefs();
  const [draft, setDraft] = useState<Draft>({
    ports: port === undefined ? [] : [port],
    identities: [identity ?? caller].filter((each) => each !== undefined),
    templateRef: templates[0] === undefined ? null : referenceOf(templates[0]),
    values: {},
    reason: "",
  });
  const [faults, setFaults] = useState<Faults>({});
  const template = templates.find((each) => referenceOf(each) === draft.templateRef);
  const fields = template === undefined ? [] : fieldsOf(template);
  const sending = useAccessRequest();
  return {
    unit,
    draft,
    faults,
    fields,
    sending,
    change: (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part })),
    chooseUnit: (unitId: string): void => {
      setDraft((before) => ({ ...before, ports: [] }));
      void navigate({ search: (previous) => ({ ...previous, unit: unitId, port: undefined }) });
    },
    send: (): void => {
      const found = faultsOf(draft, { unit, fields });
      setFaults(found);
      if (Object.keys(found).length === 0)
        sending.mutate(bodyOf(draft, { operation, deploymentUnitId: unit, environment, fields }));
    },
  };
};

export type Request = ReturnType<typeof useRequest>;
