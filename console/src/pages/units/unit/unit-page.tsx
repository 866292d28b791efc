import { Group, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { statusOf } from "../../../api/error.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { AccessTab } from "../access/access-tab.tsx";
import { ComplianceTab } from "../compliance/compliance-tab.tsx";
import { ComponentsTab } from "../components/components-tab.tsx";
import { DescriptorTab } from "../descriptor/descriptor-tab.tsx";
import { DriftTab } from "../drift/drift-tab.tsx";
import { HistoryTab } from "../history/history-tab.tsx";
import { kindText, shortReference, unitNameOf } from "../names.ts";
import { EnvironmentCards } from "./environment-cards.tsx";
import { unitQuery, type Unit } from "./queries.ts";
import { unitTabs, type UnitTab } from "./tabs.ts";
import { UnitActions } from "./unit-actions.tsx";

const route = getRouteApi("/units/$unitId");

export const UnitPage = (): ReactNode => {
  const { unitId } = route.useParams();
  const query = useQuery(unitQuery(unitId));
  const name = query.data?.name ?? unitNameOf(unitId);
  const isMissing = statusOf(query.error) === 404 && query.data === undefined;
  return (
    <>
      <PageHeader
        title={name}
        description={<About unitId={unitId} unit={query.data} />}
        actions={!isMissing && <UnitActions unitId={unitId} />}
      />
      {isMissing ? (
        <NeverStarted unitId={unitId} />
      ) : (
        <Loaded query={query} what="read this unit">
          {(unit) => (
            <>
              <EnvironmentCards unit={unit} />
              <UnitTabs unit={unit} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
};

const About = ({ unitId, unit }: { unitId: string; unit: Unit | undefined }): ReactNode => (
  <Group gap="xs" component="span">
    {unit?.kind != null && <span>{wordsOf(kindText(unit.kind))}</span>}
    {unit?.domain != null && <span>of {unit.domain}</span>}
    {unit?.owner != null && (
      <span title={unit.owner}>
        owned by{" "}
        <Text span fw={550} c="var(--mantine-color-text)">
          {shortReference(unit.owner)}
        </Text>
      </span>
    )}
    <IdText id={unitId} length={52} />
  </Group>
);

const NeverStarted = ({ unitId }: { unitId: string }): ReactNode => (
  <EmptyView
    title="It was never started in any environment"
    icon="units"
    action={<ButtonLink to="/units">All units</ButtonLink>}
  >
    Nothing is known of {unitId}. A unit is here from its first deployment on.
  </EmptyView>
);

const UnitTabs = ({ unit }: { unit: Unit }): ReactNode => {
  const { tab = "components" } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (value: string | null): void =>
    void navigate({
      search: ({ env }) => ({
        ...(env !== undefined && { env }),
        ...(value !== "components" && { tab: value as UnitTab }),
      }),
      resetScroll: false,
    });
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false} mt="md">
      <Tabs.List mb="md">
        {unitTabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {wordsOf(each)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>{panels[tab](unit)}</Tabs.Panel>
    </Tabs>
  );
};

const panels: Record<UnitTab, (unit: Unit) => ReactNode> = {
  components: (unit) => <ComponentsTab unit={unit} />,
  descriptor: (unit) => <DescriptorTab unit={unit} />,
  compliance: (unit) => <ComplianceTab unit={unit} />,
  drift: (unit) => <DriftTab unit={unit} />,
  access: (unit) => <AccessTab unit={unit} />,
  history: (unit) => <HistoryTab unit={unit} />,
};
