/** The five steps of the tour: where each leads, and what it says there. */
import { tourSteps } from "../navigation.ts";

/** The unit that the tour is shown on. */
export interface TourExample {
  unitId: string;
  name: string;
  environment: string;
  planId: string | null;
  /** Of an earlier version, where there is one: it is compared with what runs. */
  earlierPlanId: string | null;
}

export interface TourStep {
  title: string;
  text: string;
  /** The path and search that the step is read on. */
  to: string;
}

/** Without an example, as on an empty installation, the steps show the pages that fill it. */
export const stepsOf = (example: TourExample | null): TourStep[] =>
  [
    {
      title: "The overview",
      text: "What is at work, what failed, and what waits for you, with who can act and until when. It follows the server by itself.",
      to: "/",
    },
    ...(example === null ? emptySteps : exampleSteps(example)),
  ].slice(0, tourSteps);

const exampleSteps = ({ unitId, name, environment, planId, earlierPlanId }: TourExample): TourStep[] => {
  const unit = `/units/${encodeURIComponent(unitId)}`;
  const compared =
    earlierPlanId === null
      ? ""
      : `&left=plan:${earlierPlanId}&right=${encodeURIComponent(`env:${environment}`)}`;
  return [
    {
      title: "A data product",
      text: `${name} in each environment side by side, and its components. Choose one to see what its adapter tells of it, such as an address; Graph shows what depends on what.`,
      to: unit,
    },
    {
      title: "Every change is a plan",
      text: "A plan is a list of tasks, each a call of an adapter. While it runs, this page follows it; when it fails, it opens at the first failed call, with what to do and the button that resumes.",
      to: planId === null ? `${unit}?tab=history` : `/plans/${planId}`,
    },
    {
      title: "What changed",
      text: "Two versions or two environments next to each other: which components differ, in which fields, and the whole text below. History, in the last tab, has the way back.",
      to: `${unit}?tab=descriptor${compared}`,
    },
    {
      title: "Your turn",
      text: "Choose what to deploy and see exactly what would happen. Nothing changes until you start it, and then only what you saw. Ctrl K finds everything, from any page.",
      to: `/provision?unit=${encodeURIComponent(unitId)}`,
    },
  ];
};

const emptySteps: TourStep[] = [
  {
    title: "Data products",
    text: "What was deployed is listed here, with its status in each environment. Nothing is yet: the next steps show how it comes here.",
    to: "/units",
  },
  {
    title: "The catalogue",
    text: "The files that describe data products and their components, read from your repositories. A data product of it can be deployed.",
    to: "/catalogue",
  },
  {
    title: "Adapters",
    text: "Services that create what a component needs, each for one technology. They are called by plans, and their health is measured by these calls.",
    to: "/adapters",
  },
  {
    title: "Your turn",
    text: "Choose what to deploy and see exactly what would happen. Nothing changes until you start it. Ctrl K finds everything, from any page.",
    to: "/provision",
  },
];
