import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { numbered } from "../form/json.ts";
import type { PageFaults } from "./faults.ts";
import type { Subject } from "./subject.ts";
import classes from "./wizard.module.css";

export interface StepListProps {
  subject: Subject;
  current: number;
  faults: PageFaults;
}

const route = getRouteApi("/templates/$templateRef");

/** Where one is, and a link to every other page; in a phone a line above the page. */
export const StepList = ({ subject, current, faults }: StepListProps): ReactNode => {
  const { templateRef } = route.useParams();
  const titles = [...subject.pages.map(({ title }) => title), "Review and start"];
  const isFaulty = (index: number): boolean =>
    (faults.pages[index]?.length ?? 0) > 0 ||
    (subject.pages[index]?.isByEnvironment === true && Object.keys(faults.overrides).length > 0);
  return (
    <nav aria-label="Steps" className={classes["steps"]}>
      <p className={classes["progress"]}>
        Step {current + 1} of {titles.length}
      </p>
      <ol>
        {numbered(titles).map(({ key: index, item: title }) => (
          <li key={index} data-done={index < current}>
            <PageLink
              to="/templates/$templateRef"
              params={{ templateRef }}
              search={(previous) => ({
                ...previous,
                step: index < subject.pages.length ? index + 1 : ("review" as const),
                view: undefined,
              })}
              aria-current={index === current ? "step" : undefined}
              data-current={index === current ? true : undefined}
              className={classes["step"]}
              underline="never"
            >
              <span aria-hidden className={classes["number"]}>
                {isFaulty(index) ? "!" : index < current ? "✓" : index + 1}
              </span>
              <span>
                {title}
                {isFaulty(index) && <span className={classes["fault"]}> needs a correction</span>}
              </span>
            </PageLink>
          </li>
        ))}
      </ol>
    </nav>
  );
};
