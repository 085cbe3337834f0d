/** Numbers of the advisory locks that servers of one database take; others may use the database too, so they are odd. */
export const LOCKS = {
  /** Tables of our own, and the site's. */
  migrate: 748_110_001,
  /** Indexes of the site. */
  indexes: 748_110_002,
  /** Removal of rows that were deleted long ago. */
  purge: 748_110_003,
  /** Leaving our own server, one after another. */
  leave: 748_110_004,
  /** Removal of files that nothing names. */
  sweep: 748_110_005,
  /** Tables of the queue. */
  queue: 748_110_006,
  /** Migrations of the site. */
  site: 748_110_007,
  /** Removal of cached fragments. */
  cache: 748_110_008,
} as const
