/** All limits of an uploaded archive. The first six can be configured, the others are fixed. */
export interface ArchiveLimits {
  maxUploadBytes: number;
  maxUnpackedBytes: number;
  maxEntries: number;
  maxFileBytes: number;
  /** Unpacked bytes per uploaded byte; applies after the first `ratioFreeBytes` unpacked bytes. */
  maxRatio: number;
  ratioFreeBytes: number;
  /** Entity files together, which are held in memory. */
  maxStoredBytes: number;
  /** The finished descriptor as JSON. */
  maxDescriptorBytes: number;
  maxPathLength: number;
  maxPathDepth: number;
  /** Maximum number of problems of one archive that are listed; the others are counted. */
  maxProblems: number;
}

const MiB = 1024 * 1024;

export const defaultArchiveLimits: ArchiveLimits = {
  maxUploadBytes: 20 * MiB,
  maxUnpackedBytes: 100 * MiB,
  maxEntries: 5_000,
  maxFileBytes: MiB,
  maxRatio: 100,
  // Tar pads every file to 512 bytes, so a small valid archive can have a high compression ratio.
  ratioFreeBytes: MiB,
  maxStoredBytes: 20 * MiB,
  maxDescriptorBytes: 20 * MiB,
  maxPathLength: 512,
  maxPathDepth: 32,
  maxProblems: 100,
};
