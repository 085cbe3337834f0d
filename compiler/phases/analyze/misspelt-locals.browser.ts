/** In a browser, the host may pass any name to any template, so no name counts as misspelt. */

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
