import { SimpleGrid, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { EmptyView } from "../../parts/states/views.tsx";
import { Adapters, Model } from "./health.tsx";
import { AtWork, FailedLately } from "./operations.tsx";
import { Counts } from "./counts.tsx";
import { TourInvitation } from "./tour-invitation.tsx";
import { Waiting } from "./waiting.tsx";

/** What runs, what failed and what waits, in one look; each part reads itself anew. */
export const HomePage = (): ReactNode => {
  const { environment } = useEnvironment();
  return (
    <>
      <PageHeader title="Overview" description={<Counts environment={environment} />} />
      <TourInvitation />
      {environment === "" ? (
        <EmptyView title="There is no environment" icon="settings">
          Environments are configured under coordinator.environments.
        </EmptyView>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Stack gap="md">
            <AtWork environment={environment} />
            <FailedLately environment={environment} />
          </Stack>
          <Stack gap="md">
            <Waiting />
            <Adapters environment={environment} />
            <Model />
          </Stack>
        </SimpleGrid>
      )}
    </>
  );
};
