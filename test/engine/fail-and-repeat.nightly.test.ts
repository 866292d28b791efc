import { failAndRepeat } from "./fail-and-repeat.ts";
import { hasManyTasks, planFixtures } from "./plan-fixtures.ts";

failAndRepeat(planFixtures.filter(hasManyTasks));
