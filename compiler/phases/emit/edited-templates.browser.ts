/** In a browser, all templates are emitted each time. */
export function afterEdits(): null {
  return null
}
