import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { doctorReport } from "./doctor-schema.ts";
import { checkInstallation } from "./doctor-service.ts";

export function addDoctorRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "checkInstallation",
    method: "GET",
    path: "/v1/doctor",
    summary: "Check the installation",
    description:
      "Looks whether everything is as it should be, and says what to do where it is not: the databases, workers, plans, adapters, " +
      "models, keys, messages to others, and the process that answers. A check that fails is a problem of the answer, which is 200 " +
      "all the same. Requests at the same time get the same answer.",
    tags: ["Doctor"],
    rule: "checkInstallation",
    response: { 200: doctorReport },
    handler: (ctx) => checkInstallation(ctx),
  });
}
