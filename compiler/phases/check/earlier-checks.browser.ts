/** In a browser each template is checked once, so that nothing is cached. */
export function earlierChecks(): null {
  return null
}

export function factsForCallers(): null {
  return null
}

export function checkInputsOf(): readonly unknown[] {
  return []
}
