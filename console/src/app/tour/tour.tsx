import { ActionIcon, Button, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { Icon } from "../../parts/page/icon.tsx";
import { rememberTour } from "../../parts/page/tour-memory.ts";
import { tourSteps } from "../navigation.ts";
import { tourExampleQuery } from "./example.ts";
import { stepsOf } from "./steps.ts";
import classes from "./tour.module.css";

/** A panel at the foot of the page, which changes pages as one goes on. It keeps the focus, so that Enter goes on and Esc ends it. */
export const Tour = ({ step }: { step: number }): ReactNode => {
  const { data: example, isPending } = useQuery(tourExampleQuery);
  const router = useRouter();
  const { pathname } = useLocation();
  const steps = stepsOf(example ?? null);
  const current = steps[step - 1];
  const panel = useRef<HTMLElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const isShown = !isPending && current !== undefined;
  const end = (): void => {
    rememberTour();
    void router.navigate({ to: ".", search: (previous) => ({ ...previous, tour: undefined }) });
  };
  const endByKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === "Escape") end();
  });
  useEffect(() => {
    const element = panel.current;
    if (!isShown || element === null) return;
    next.current?.focus({ preventScroll: true });
    const listener = (event: KeyboardEvent): void => endByKey(event);
    element.addEventListener("keydown", listener);
    return () => element.removeEventListener("keydown", listener);
  }, [isShown]);
  if (!isShown) return null;
  const go = (target: number): void => {
    const [path = "/", query = ""] = (steps[target - 1]?.to ?? "/").split("?");
    const search = new URLSearchParams(query);
    search.set("tour", String(target));
    if (example != null) search.set("env", example.environment);
    void router.navigate({ href: `${path}?${search}` });
  };
  const isLast = step === tourSteps;
  const isElsewhere = decodeURIComponent(pathname) !== decodeURIComponent(current.to.split("?")[0] ?? "/");
  return (
    // The room below the page is for the panel, so that it covers nothing at the end of it.
    <div className={classes["room"]}>
      <aside ref={panel} aria-label="Tour" className={classes["panel"]} data-keeps-focus>
        <Group justify="space-between" wrap="nowrap" mb={4}>
          <Text size="xs" c="dimmed" span>
            Tour, step {step} of {tourSteps}
          </Text>
          <ActionIcon size="sm" aria-label="End the tour" onClick={end}>
            <Icon name="close" size={12} />
          </ActionIcon>
        </Group>
        <div aria-live="polite">
          <Title order={2} size="h3">
            {current.title}
          </Title>
          <Text size="sm" mt={4}>
            {current.text}
          </Text>
        </div>
        <Group justify="flex-end" gap="xs" mt="sm">
          {isElsewhere && (
            <Button variant="subtle" onClick={() => go(step)}>
              Show me
            </Button>
          )}
          {step > 1 && <Button onClick={() => go(step - 1)}>Back</Button>}
          <Button variant="filled" ref={next} onClick={() => (isLast ? end() : go(step + 1))}>
            {isLast ? "Finish" : "Next"}
          </Button>
        </Group>
      </aside>
    </div>
  );
};
