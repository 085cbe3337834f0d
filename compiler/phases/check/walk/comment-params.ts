/** Collects the arguments that the comments of a partial describe as optional, for partials without parameters in `{% doc %}`. */
import { derived } from '../../../core/model/derived.ts'
import type { Unit } from '../../../core/model/unit.ts'

const COMMENT = /\{%-?\s*comment\s*-?%\}([\s\S]*?)\{%-?\s*endcomment\s*-?%\}|\{%-?\s*#([^%]*)-?%\}|^[ \t]*#(.*)$/gm
/** The beginning of a line about one argument: `@param {string} [title]`, `* title - optional, …`, `title (default: 'x')`. */
const LINE = /^[\s*#-]*(?:@param\b\s*)?(?:\{[^}]*\}\s*)?(\[?)`?([A-Za-z_]\w*)/
const OPTIONAL = /\boptional(?:ly)?\b|\bdefaults?\b|\bif (?:you|needed|wanted|given|present)\b/i

/** Returns the names of the arguments whose line marks them as optional. */
export const optionalInComments: (unit: Unit) => ReadonlySet<string> = derived((unit: Unit) => {
  const names = new Set<string>()
  for (const [, block, inline, line] of unit.file.text.matchAll(COMMENT))
    for (const each of (block ?? inline ?? line ?? '').split('\n')) {
      const [, bracket, name] = LINE.exec(each) ?? []
      if (name !== undefined && (bracket === '[' || OPTIONAL.test(each))) names.add(name)
    }
  return names
})
