import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { contextText, type PageContext } from "../context/page-context.ts";
import classes from "./chat.module.css";

/** Questions to begin with, by what the user looks at. */
export const Starters = ({
  context,
  onChoose,
}: {
  context: PageContext | null;
  onChoose: (question: string) => void;
}): ReactNode => (
  <Stack gap="xs" align="flex-start" py="md">
    <Text size="sm" c="dimmed">
      It reads with your rights, and asks you before it changes anything.
    </Text>
    <Group gap="xs">
      {questionsOf(context).map((question) => (
        <Button
          key={question}
          onClick={() => onChoose(question)}
          classNames={{ root: classes["starter"] ?? "", label: classes["starterText"] ?? "" }}
        >
          {question}
        </Button>
      ))}
    </Group>
  </Stack>
);

const questionsOf = (context: PageContext | null): string[] => {
  if (context?.plan !== undefined) return ["Why did this plan fail?", "What does this plan wait for?"];
  if (context?.unit !== undefined) {
    const name = contextText(context).toLowerCase();
    return [`How is ${name} doing?`, `Check ${name} for drift`, "Who may deploy it?"];
  }
  return [
    "What waits for me?",
    "Why did the last plan fail?",
    "Which units are not deployed as they should be?",
  ];
};
