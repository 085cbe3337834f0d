/** In a browser templates have their settings as the page gives them. */
export function unreadSettings(): readonly never[] {
  return []
}
