/** Codes of upgrades, which the command line alone carries out. */
export const upgradeErrors = {
  UPGRADE_INPUT: {
    status: 400,
    meaning: "A file that an upgrade was to look at cannot be read, or the address of a database is none.",
    solution: "Name files that are there, and correct what is named.",
  },
  UPGRADE_NO_BACKUP: {
    status: 409,
    meaning: "An upgrade was to be carried out without a backup; nothing was done.",
    solution: "Give --backup <file>, or --backup-confirmed where there is one.",
  },
  UPGRADE_BACKUP_EXISTS: {
    status: 409,
    meaning:
      "The file for the backup of an upgrade exists, and is not a backup that this upgrade took of the present state; nothing was done.",
    solution: "Name another file with --backup, or give --backup-confirmed where there is a backup.",
  },
  UPGRADE_REFUSED: {
    status: 409,
    meaning:
      "A database is not one that the upgrade may change: empty beside a full one, of another service, or newer.",
    solution: "Correct what `plinth upgrade check` says of it.",
  },
  UPGRADE_FILE_CHANGED: {
    status: 409,
    meaning: "A file was changed while the upgrade ran, and was left as it is.",
    solution: "Run the command again.",
  },
} as const;
