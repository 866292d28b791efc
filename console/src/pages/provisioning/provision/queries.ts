import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import type { Descriptor } from "./descriptor.ts";
import { warningsOf } from "./warnings.ts";

type Schemas = CoordinatorComponents["schemas"];
export type StartRequest = Schemas["ProvisioningRequest"];

export interface BuiltDescriptor {
  descriptor: Descriptor;
  /** Sentences about what was left out or guessed. */
  warnings: readonly string[];
}

export const systemsQuery = (text: string) =>
  queryOptions({
    queryKey: [...keys.entities, "systems", text],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/catalog/entities/by-query", {
          params: {
            query: {
              filter: ["kind=system"],
              limit: 30,
              orderField: ["metadata.name,asc"],
              ...(text !== "" && { fullTextFilterTerm: text }),
            },
          },
          signal,
        }),
      ),
  });

/** What the catalogue's entities say now, for this environment. */
export const systemDescriptorQuery = (systemRef: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.entities, "descriptor", systemRef, environment],
    retry: false,
    queryFn: async ({ signal }): Promise<BuiltDescriptor> => {
      const answer = await api.builder.POST("/api/builder/descriptor/preview", {
        body: { systemRef, environment },
        signal,
      });
      const { descriptor } = await call(Promise.resolve(answer));
      return {
        descriptor: descriptor as unknown as Descriptor,
        warnings: warningsOf(answer.response.headers),
      };
    },
  });

export interface ChosenFile {
  file: File;
  /** Tells it from a file of the same name that was chosen before. */
  choice: string;
}

/**
 * Uploads the archive and answers the descriptor that is built of it for this environment, once: the file does not change. A failed
 * upload is sent again by hand only. Archives are large, and queries that run again when the server is back would send it each time.
 */
export const archiveDescriptorQuery = (chosen: ChosenFile | null, environment: string) =>
  queryOptions({
    queryKey: ["builder", "descriptor-of-archive", chosen?.choice, environment],
    staleTime: "static",
    retry: false,
    queryFn:
      chosen === null ? skipToken : ({ signal }) => buildFromArchive(chosen.file, { environment, signal }),
    enabled: ({ state }) => state.status !== "error",
  });

/** An archive may come over a slow line. */
const uploadMs = 600_000;

async function buildFromArchive(
  archive: File,
  { environment, signal }: { environment: string; signal: AbortSignal },
): Promise<BuiltDescriptor> {
  const answer = await api.builder.POST("/api/builder/descriptor", {
    // The document describes the fields of the form; the file itself is sent.
    body: { archive: archive as unknown as string, environment },
    bodySerializer: () => {
      const form = new FormData();
      form.append("environment", environment);
      form.append("archive", archive);
      return form;
    },
    signal,
    fetch: api.within(uploadMs),
  });
  const { descriptor } = await call(Promise.resolve(answer));
  return { descriptor: descriptor as unknown as Descriptor, warnings: warningsOf(answer.response.headers) };
}

export interface DeployedUnit {
  status: Schemas["UnitStatusWord"];
  /** null: nothing was deployed yet. */
  descriptor: Descriptor | null;
}

export const deployedQuery = (unitId: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unit(unitId), "deployed-descriptor", environment],
    enabled: unitId !== "" && environment !== "",
    queryFn: async ({ signal }): Promise<DeployedUnit> => {
      const { status, provisioningDetails } = await call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/provisioning-status", {
          params: {
            path: { "deployment-unit-id": unitId },
            query: { environment, "include-descriptor": true },
          },
          signal,
        }),
      ).catch((error: unknown) => {
        if (statusOf(error) === 404)
          return { status: "NOT_DEPLOYED" as const, provisioningDetails: undefined };
        throw error;
      });
      const descriptor = provisioningDetails?.descriptor;
      const isThere = descriptor !== undefined && typeof descriptor["id"] === "string";
      return { status, descriptor: isThere ? (descriptor as Descriptor) : null };
    },
  });

export const previewQuery = (environment: string, body: StartRequest) =>
  queryOptions({
    queryKey: [...keys.unit(String(body.descriptor["id"])), "preview", environment, body],
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.POST(
          "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/preview",
          {
            params: {
              path: { "deployment-unit-id": String(body.descriptor["id"]) },
              query: { environment, "autofill-target-status": true },
            },
            body,
            signal,
          },
        ),
      ),
  });
