/** In a browser templates are checked once. */
export function earlierChecks(): null {
  return null
}
