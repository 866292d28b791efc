import { Button, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { ButtonLink } from "../../parts/page/page-link.tsx";
import { isTourDone, rememberTour } from "../../parts/page/tour-memory.ts";
import classes from "./home.module.css";

/** Until it was taken or dismissed once. */
export const TourInvitation = (): ReactNode => {
  const [isDone, setDone] = useState(isTourDone);
  const { tour } = useSearch({ strict: false });
  if (isDone || tour !== undefined) return null;
  return (
    <div className={classes["invitation"]}>
      <Text size="sm" span className={classes["grow"]} miw="12rem">
        New here? Five steps show where things are.
      </Text>
      <ButtonLink to="/" search={(previous) => ({ ...previous, tour: 1 })}>
        Take the tour
      </ButtonLink>
      <Button
        variant="subtle"
        onClick={() => {
          rememberTour();
          setDone(true);
        }}
      >
        No, thanks
      </Button>
    </div>
  );
};
