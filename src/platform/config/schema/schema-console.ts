import { Type } from "typebox";
import { count, section, text } from "./schema-parts.ts";

/** Settings of the web console, and of the sessions of browsers that it works with. */
export const webConsole = section(
  {
    enabled: Type.Boolean({ default: true, description: "Whether this server serves the console at `/`." }),
    folder: Type.Optional(
      text("Folder with the built console: `index.html` and `assets/`. Not given: the one that is shipped."),
    ),
    sessions: section(
      {
        idleMinutes: count(
          60,
          "A session ends when it was not used for so long. An open event stream alone is no use.",
          { minimum: 5, maximum: 43_200 },
        ),
        maxHours: count(24, "A session ends after this time however much it is used.", { maximum: 8_760 }),
      },
      "Sessions of people who have signed in with a browser.",
    ),
  },
  "The web console.",
);
