// Before the first paint, so that a dark page does not flash white. Not inline: the policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("plinth-color-scheme");
  } catch {
    // Without storage the system's choice is followed.
  }
  const isDark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
