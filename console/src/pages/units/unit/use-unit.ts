import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../../api/environments.ts";
import { componentsOf, type DescribedComponent } from "./descriptor.ts";
import { deployedQuery, unitQuery, type Environment, type Unit } from "./queries.ts";

/** Where something is deployed: the chosen environment, else the first in which it is known. */
export const useDescribedIn = (id: string): string => {
  const { environment } = useEnvironment();
  const known = useQuery(unitQuery(id)).data?.environments.filter(
    ({ descriptorVersion }) => descriptorVersion !== "",
  );
  if (known === undefined) return "";
  return known.find((each) => each.environment === environment)?.environment ?? known[0]?.environment ?? "";
};

/** The components as a descriptor describes them; empty until it is read. */
export const useDescribedComponents = (id: string): DescribedComponent[] => {
  const environment = useDescribedIn(id);
  const { data } = useQuery(deployedQuery(id, environment));
  return componentsOf(data?.provisioningDetails.descriptor);
};

/** The chosen environment, and the unit in it. */
export const useHere = (unit: Unit): { environment: string; here: Environment | undefined } => {
  const { environment } = useEnvironment();
  return { environment, here: unit.environments.find((each) => each.environment === environment) };
};
