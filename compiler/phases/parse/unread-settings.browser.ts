/** Stand-in for browsers: the page provides the settings of templates. */
export function unreadSettings(): readonly never[] {
  return []
}
