/**
 * The advisory locks of servers that share a database. The numbers are unusual, because other programs may use the
 * database too.
 */
export const LOCKS = {
  /** Migrating the tables of Ingot, and applying the schema of the site. */
  migrate: 748_110_001,
  /** Building the indexes of the site. */
  indexes: 748_110_002,
  /** Purging deleted rows. */
  purge: 748_110_003,
  /** Releasing the embedded server. */
  leave: 748_110_004,
  /** Sweeping unused files. */
  sweep: 748_110_005,
  /** Installing the queue. */
  queue: 748_110_006,
  /** Running the migrations of the site. */
  site: 748_110_007,
  /** Removing cached fragments. */
  cache: 748_110_008,
  /** Activating and removing releases. */
  release: 748_110_009,
  /** Importing and exporting data. */
  transfer: 748_110_010,
  /** Repeating a transaction that conflicted with another one. */
  repeat: 748_110_011,
} as const
