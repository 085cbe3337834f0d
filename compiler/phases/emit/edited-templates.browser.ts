/** In a browser, every compilation emits all templates. */
export function afterEdits(): null {
  return null
}
