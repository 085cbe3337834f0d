/** In a browser templates are checked once. */
export function earlierChecks(): null {
  return null
}

export function seenByCallers(): null {
  return null
}

export function inputsOf(): readonly unknown[] {
  return []
}
