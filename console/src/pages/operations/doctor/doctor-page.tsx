import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { Checks } from "./checks.tsx";
import { Retention } from "./retention.tsx";

const route = getRouteApi("/doctor");

export const DoctorPage = (): ReactNode => {
  const { tab = "checks" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader title="Health" description="What this installation needs to work, and what it deletes." />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({
              ...previous,
              counted: undefined,
              tab: value === "retention" ? value : undefined,
            }),
          })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="checks">Checks</Tabs.Tab>
          <Tabs.Tab value="retention">Retention</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="checks">
          <Checks />
        </Tabs.Panel>
        <Tabs.Panel value="retention">
          <Retention />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
