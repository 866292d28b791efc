export const configErrors = {
  PLATFORM_CONFIG: {
    status: 400,
    meaning: "The configuration is not valid; every problem is listed with its file, line and column.",
    solution: "Correct the settings named in the problems; `plinth config check` shows them without a start.",
  },
  PLATFORM_DATA_DIRECTORY: {
    status: 503,
    meaning: "The server does not start, because its data directory cannot be made or written to.",
    solution: "Set dataDir to a directory that the server's user may write to.",
  },
} as const;
