/** Rectangles of a graph. Pure. */

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const margin = 0.4;

/** What is in view, and a part of its size more on each side. */
export function areaAround({ left, top, right, bottom }: Area): Area {
  const [x, y] = [(right - left) * margin, (bottom - top) * margin];
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

export const isWithin = (inner: Area, outer: Area): boolean =>
  inner.left >= outer.left &&
  inner.top >= outer.top &&
  inner.right <= outer.right &&
  inner.bottom <= outer.bottom;

export const doTouch = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
