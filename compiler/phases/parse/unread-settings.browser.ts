/** Stand-in for browsers: the page provides the settings of templates. */
export function findUnreadSettings(): readonly never[] {
  return []
}
