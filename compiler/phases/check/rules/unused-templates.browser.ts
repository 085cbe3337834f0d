/** Replaces the search for unused templates in browsers, which have no notifications or policies: every file counts as used. */
export const REFERENCES: ReadonlySet<string> = new Set()

export function unusedTemplates(): ReadonlySet<string> {
  return new Set()
}
