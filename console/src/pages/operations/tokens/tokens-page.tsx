import { Button, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useHasRole, useSession } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { ServiceAccounts } from "./service-accounts.tsx";
import { OthersTokens, OwnTokens } from "./token-list.tsx";

const route = getRouteApi("/tokens");

export const TokensPage = (): ReactNode => {
  const { tab = "mine" } = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useHasRole("admin");
  const roles = useSession()?.caller?.roles ?? [];
  const [open, setOpen] = useState<"token" | "account" | null>(null);
  return (
    <>
      <PageHeader
        title="Tokens"
        description="With what programs and browsers act for people, and for service accounts."
        actions={
          tab === "services" && isAdmin ? (
            <Button variant="filled" onClick={() => setOpen("account")}>
              New service account
            </Button>
          ) : tab === "mine" ? (
            <Button variant="filled" onClick={() => setOpen("token")}>
              New token
            </Button>
          ) : undefined
        }
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            search: ({ env }) => ({
              ...(env !== undefined && { env }),
              ...((value === "all" || value === "services") && { tab: value }),
            }),
          })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="mine">Mine</Tabs.Tab>
          <Tabs.Tab value="services">Service accounts</Tabs.Tab>
          <Tabs.Tab value="all">Of others</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="mine">
          <OwnTokens />
        </Tabs.Panel>
        <Tabs.Panel value="services">
          <ServiceAccounts />
        </Tabs.Panel>
        <Tabs.Panel value="all">
          <OthersTokens />
        </Tabs.Panel>
      </Tabs>
      {open === "token" && <NewTokenDialog roles={roles} onClose={() => setOpen(null)} />}
      {open === "account" && <AccountDialog onClose={() => setOpen(null)} />}
    </>
  );
};
