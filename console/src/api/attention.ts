/** Whether somebody is at the page: one that was left open asks by timers and streams alone, which is no use of the session. */

/** Well within the shortest idle time of a session. */
const attentionMs = 60_000;

/** What only a person does. A page scrolls by itself too, and what moves below a resting pointer makes events of it. */
const signs = ["pointerdown", "keydown", "wheel", "click"];

/** The function that it returns says whether there was a sign within the last minute; opening the page is one. */
export const watchAttention = (page: EventTarget, now: () => number = Date.now): (() => boolean) => {
  let lastAt = now();
  const note = (): void => void (lastAt = now());
  for (const sign of signs) page.addEventListener(sign, note, { capture: true, passive: true });
  return () => now() - lastAt < attentionMs;
};
