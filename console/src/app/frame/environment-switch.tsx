import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import classes from "./environment-switch.module.css";

export const EnvironmentSwitch = (): ReactNode => {
  const { environment, environments, choose } = useEnvironment();
  return (
    <Select
      aria-label="Environment"
      data={
        environments.includes(environment) ? environments : [...environments, environment].filter(Boolean)
      }
      value={environment === "" ? null : environment}
      placeholder="No environment"
      onChange={(value) => value !== null && choose(value)}
      className={classes["switch"]}
      comboboxProps={{ width: "max-content", position: "bottom-end" }}
    />
  );
};
