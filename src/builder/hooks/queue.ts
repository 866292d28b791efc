export const hookQueue = "builder-hooks";
