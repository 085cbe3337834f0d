/** In a browser each template is checked only once, so nothing is cached. */
export function earlierChecks(): null {
  return null
}

export function factsForCallers(): null {
  return null
}

export function checkInputsOf(): readonly unknown[] {
  return []
}
