/** What generators return, and their options. */

/** The texts of generated files, by path. */
export type Files = Readonly<Record<string, string>>

/** Options of the generators, in addition to names and fields. */
export interface GeneratorOptions {
  /** The policy for writers; null for `writes_<table>`. */
  readonly policy: string | null
  /** Returns the text of a file of the site, or null. Absent for a new site. */
  readonly read?: (path: string) => string | null
}

/** Returns the files without some of them. */
export function leaveOut(files: Files, paths: readonly string[]): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)))
}
