/** In a browser the host may give any name to any template. */

export function isMisspellable(): boolean {
  return false
}

export function misspeltLocals(): ReadonlyMap<string, string> {
  return new Map()
}

export function namesForForms(): ReadonlySet<string> {
  return new Set()
}

export function namesAtIncludes(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map()
}
