import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import classes from "./environment-switch.module.css";

/** The browser's own list: it is in the first page, and a phone shows it best. */
export const EnvironmentSwitch = (): ReactNode => {
  const { environment, environments, choose } = useEnvironment();
  const names = environments.includes(environment) ? environments : [...environments, environment];
  return (
    <select
      aria-label="Environment"
      className={classes["switch"]}
      value={environment}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {name === "" ? "No environment" : name}
        </option>
      ))}
    </select>
  );
};
