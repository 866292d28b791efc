import { Alert, Code, List, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { basePath } from "../../../api/base-path.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";

/** What an operator has to set before anything can be asked. */
export const NoModel = (): ReactNode => {
  const maySet = useHasRole("operator", "admin");
  return (
    <Alert color="warn" title="No model is configured" icon={<Icon name="warning" />}>
      <Text size="sm">
        The assistant answers with a language model that you bring; everything else of Plinth works without
        one. {maySet ? "You may set it:" : "Operators and admins may set it. Tell them:"}
      </Text>
      <List size="sm" mt={6}>
        <List.Item>
          send <Code>provider</Code>, <Code>endpoint</Code>, <Code>api_key</Code> and <Code>model</Code> with{" "}
          <a href={`${basePath}/docs`}>POST /api/assistant/v2/llm/config</a>; its answer says whether the
          model replied
        </List.Item>
        <List.Item>
          allow its host where <Code>outbound.allowedHosts</Code> is set, and a private address with{" "}
          <Code>outbound.privateNetworks.models</Code>
        </List.Item>
        <List.Item>
          set <Code>assistant.models.contextTokens</Code> to the model's size, and{" "}
          <Code>assistant.prices</Code> to see costs
        </List.Item>
      </List>
      <Text size="sm" mt={6}>
        The guide is <Code>docs/guides/assistant-operate.md</Code>.
      </Text>
    </Alert>
  );
};
