/** Of an archive of records, whether it comes in or goes out. */
export const archiveLimits = {
  packedBytes: 10 * 1024 * 1024,
  unpackedBytes: 40 * 1024 * 1024,
  fileBytes: 3 * 1024 * 1024,
  entries: 5_000,
  /** Of one kind. */
  records: 1_000,
} as const;
