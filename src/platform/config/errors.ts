export const configErrors = {
  PLATFORM_CONFIG: {
    status: 400,
    meaning: "The configuration is not valid; every problem is listed with its file, line and column.",
    solution: "Correct the settings named in the problems; `plinth config check` shows them without a start.",
  },
} as const;
