/** In browsers nothing is sent, and no page is protected: every file counts as used. */
export const REFERENCES: ReadonlySet<string> = new Set()

export function unusedTemplates(): ReadonlySet<string> {
  return new Set()
}
