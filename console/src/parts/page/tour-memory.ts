/** Whether the tour was taken or dismissed in this browser. */
const key = "plinth-tour";

export const isTourDone = (): boolean => {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
};

export const rememberTour = (): void => {
  try {
    localStorage.setItem(key, "done");
  } catch {
    // It is offered again the next time.
  }
};
