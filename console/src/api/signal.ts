import { useSyncExternalStore } from "react";

/** A value that is set outside of React and shown in it. */
export interface Signal<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

export const createSignal = <T>(initial: T): Signal<T> => {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useSignal = <T>({ subscribe, get }: Signal<T>): T => useSyncExternalStore(subscribe, get);
