/** Every limit of an uploaded archive. The first six can be configured; the rest are ours. */
export interface ArchiveLimits {
  maxUploadBytes: number;
  maxUnpackedBytes: number;
  maxEntries: number;
  maxFileBytes: number;
  /** Unpacked bytes per uploaded byte; applies once more than `ratioFreeBytes` are unpacked. */
  maxRatio: number;
  ratioFreeBytes: number;
  /** Entity files together, which is what is kept in memory. */
  maxKeptBytes: number;
  /** The finished descriptor as JSON. */
  maxDescriptorBytes: number;
  maxPathLength: number;
  maxPathDepth: number;
  /** Problems of one archive that are listed; the rest is counted. */
  maxProblems: number;
}

const MiB = 1024 * 1024;

export const defaultArchiveLimits: ArchiveLimits = {
  maxUploadBytes: 20 * MiB,
  maxUnpackedBytes: 100 * MiB,
  maxEntries: 5_000,
  maxFileBytes: MiB,
  maxRatio: 100,
  // Tar pads every file to 512 bytes, so a small honest archive can well shrink a hundredfold.
  ratioFreeBytes: MiB,
  maxKeptBytes: 20 * MiB,
  maxDescriptorBytes: 20 * MiB,
  maxPathLength: 512,
  maxPathDepth: 32,
  maxProblems: 100,
};
