/** In a browser all templates are written each time. */
export function afterEdits(): null {
  return null
}
