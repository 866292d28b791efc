/** Keys while the session has ended: the page below the dialog that says so must not close a form or open another dialog. */
import { sessionState } from "../../api/session-state.ts";

/** What moves between the two links of that dialog and follows them. */
const keysOfTheDialog = new Set(["Tab", "Enter", " "]);

/** Called before the page is drawn, so that no other listener of the window hears a key first. What the browser does with it stays. */
export const holdKeysOfEndedSession = (): void =>
  window.addEventListener(
    "keydown",
    (event) => {
      if (sessionState.get() === "ended" && !keysOfTheDialog.has(event.key)) event.stopImmediatePropagation();
    },
    { capture: true },
  );
