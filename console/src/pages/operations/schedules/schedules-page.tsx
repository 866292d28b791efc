import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { DriftSchedules } from "./drift-schedules.tsx";
import { Windows } from "./windows.tsx";

const route = getRouteApi("/schedules");

export const SchedulesPage = (): ReactNode => {
  const { tab = "windows" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Schedules"
        description="When operations may begin in each environment, and when drift is looked for."
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            search: ({ env }) => ({
              ...(env !== undefined && { env }),
              ...(value === "drift" && { tab: "drift" as const }),
            }),
          })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="windows">Maintenance windows</Tabs.Tab>
          <Tabs.Tab value="drift">Drift checks</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="windows">
          <Windows />
        </Tabs.Panel>
        <Tabs.Panel value="drift">
          <DriftSchedules />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
