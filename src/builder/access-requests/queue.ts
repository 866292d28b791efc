export const accessQueue = "builder-access";
