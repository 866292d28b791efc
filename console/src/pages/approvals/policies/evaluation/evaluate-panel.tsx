import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useEnvironment } from "../../../../api/environments.ts";
import { useHasRole } from "../../../../api/session.ts";
import { ErrorView } from "../../../../parts/states/views.tsx";
import { WhoElseMay } from "../../parts/people.tsx";
import { DescriptorInput } from "./descriptor-input.tsx";
import { ReportView } from "./report.tsx";
import { evaluate } from "../writes.ts";

const route = getRouteApi("/policies");

/** All policies in force on one descriptor, before it is deployed. */
export const EvaluatePanel = (): ReactNode => {
  const { report } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const mayEvaluate = useHasRole("developer", "operator", "admin");
  const [descriptor, setDescriptor] = useState("");
  const starting = useMutation({
    mutationFn: async () => {
      const { fromYaml } = await import("../../../../parts/code/yaml.ts");
      const resource = fromYaml(descriptor) as { id?: unknown; kind?: unknown } | null;
      if (typeof resource?.id !== "string")
        throw new Error("The descriptor has no id: it says which resource is evaluated.");
      const resourceType = typeof resource.kind === "string" ? resource.kind : "dataproduct";
      return evaluate({ id: resource.id, resourceType, environment, descriptor });
    },
    onSuccess: (reportId) => navigate({ search: (previous) => ({ ...previous, report: reportId }) }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        All policies in force in {environment} say what they find in a descriptor and its components.
      </Text>
      {mayEvaluate ? (
        <>
          <div>
            <DescriptorInput environment={environment} onChange={setDescriptor} />
          </div>
          <Button
            variant="filled"
            style={{ alignSelf: "flex-start" }}
            loading={starting.isPending}
            disabled={descriptor.trim() === ""}
            onClick={() => starting.mutate()}
          >
            Evaluate
          </Button>
        </>
      ) : (
        <WhoElseMay>Developers and operators may evaluate descriptors.</WhoElseMay>
      )}
      {starting.error !== null && <ErrorView error={starting.error} what="evaluate it" />}
      {report !== undefined && <ReportView reportId={report} />}
    </Stack>
  );
};
