import { useEffect, useRef, type RefObject } from "react";

/**
 * Keeps the end in view while an answer grows, as long as the reader has not scrolled away from it. Goes to the end when the last
 * question is another one.
 */
export const useStickToEnd = (
  last: string | null,
): { list: RefObject<HTMLDivElement | null>; end: RefObject<HTMLDivElement | null> } => {
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const [content, mark] = [list.current, end.current];
    if (content === null || mark === null) return;
    const seen = new IntersectionObserver(([entry]) => (isAtEnd.current = entry?.isIntersecting ?? true), {
      // The field to write in covers the end of the window.
      rootMargin: "0px 0px 160px 0px",
    });
    const grown = new ResizeObserver(() => {
      if (isAtEnd.current) mark.scrollIntoView({ block: "end" });
    });
    seen.observe(mark);
    grown.observe(content);
    return () => {
      seen.disconnect();
      grown.disconnect();
    };
  }, []);
  useEffect(() => {
    isAtEnd.current = true;
    if (last !== null) end.current?.scrollIntoView({ block: "end" });
  }, [last]);
  return { list, end };
};
