/** The code of an error of Node.js or of the database (`ENOENT`, `Z_BUF_ERROR`, `55P03`); empty when it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
