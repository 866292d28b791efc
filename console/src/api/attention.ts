/** Whether a person uses the page. What timers and streams of a page that was left open ask for must not extend the session. */

/** Well within the shortest idle time of a session. */
const attentionMs = 60_000;

/** Events that only a person causes. Pages cause `scroll` by themselves, and browsers send `pointermove` when content moves below a pointer at rest. */
const signs = ["pointerdown", "keydown", "wheel", "click"];

/** Returns a function that tells whether such an event came within the last minute. Opening the page counts as one. */
export const watchAttention = (page: EventTarget, now: () => number = Date.now): (() => boolean) => {
  let lastAt = now();
  const note = (): void => void (lastAt = now());
  for (const sign of signs) page.addEventListener(sign, note, { capture: true, passive: true });
  return () => now() - lastAt < attentionMs;
};
