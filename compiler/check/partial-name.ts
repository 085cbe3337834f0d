/** What a partial's name says by itself. */
import { nearest } from '../diagnostics/suggest.ts'
import type { Site } from '../model/site.ts'

/** `cards/user` binds `with` to `user`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Files that a name of no partial was likely meant to be: what its message suggests. */
export function meantPartials({ partials }: Site, name: string, known: Iterable<string>): readonly string[] {
  const meant = name.startsWith('lib/') ? name.slice('lib/'.length) : nearest(name, known)
  const unit = meant === null ? undefined : partials.get(meant)
  return unit === undefined ? [] : [unit.file.path]
}
