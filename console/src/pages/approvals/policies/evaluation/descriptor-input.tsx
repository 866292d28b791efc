import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { CodeEditor } from "../../../../parts/code/code-editor.tsx";
import { ErrorView } from "../../../../parts/states/views.tsx";
import { deployedPartsQuery } from "../../access/queries.ts";
import { UnitPicker } from "../../access/unit-picker.tsx";

export interface DescriptorInputProps {
  environment: string;
  onChange: (text: string) => void;
}

/** A descriptor as YAML or JSON: written, or taken from what is deployed. */
export const DescriptorInput = ({ environment, onChange }: DescriptorInputProps): ReactNode => {
  const queries = useQueryClient();
  const [unit, setUnit] = useState("");
  const [initial, setInitial] = useState("");
  const [taken, setTaken] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const take = async (): Promise<void> => {
    setError(null);
    try {
      const [status, { toYaml }] = await Promise.all([
        queries.fetchQuery(deployedPartsQuery(unit, environment)),
        import("../../../../parts/code/yaml.ts"),
      ]);
      const text = toYaml(status.provisioningDetails.descriptor ?? {});
      setInitial(text);
      setTaken((before) => before + 1);
      onChange(text);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <Group gap="xs" align="flex-end" mb="xs">
        <UnitPicker
          label={`Take the descriptor of a unit in ${environment}`}
          environment={environment}
          value={unit}
          onChange={setUnit}
        />
        <Button disabled={unit === ""} onClick={() => void take()}>
          Take it
        </Button>
      </Group>
      {error !== null && <ErrorView error={error} what="read the descriptor" kind="readOnce" />}
      <Text size="xs" c="dimmed" mb={4}>
        Descriptor, YAML or JSON
      </Text>
      <CodeEditor key={taken} initial={initial} onChange={onChange} label="Descriptor" />
    </>
  );
};
