/** In a browser the host may give any name to any template. */

export function isMisspellable(): boolean {
  return false
}

export function misspeltLocals(): ReadonlyMap<string, string> {
  return new Map()
}

export function namesForForm(): readonly string[] {
  return []
}

export function namesAtIncludes(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map()
}
