import type { CoordinatorContext } from "../context.ts";
import type { DoctorView } from "./doctor-schema.ts";

export async function checkInstallation({ coordinator }: CoordinatorContext): Promise<DoctorView> {
  const { at, ...report } = await coordinator.doctor();
  return { ...report, at: at.toISOString() };
}
