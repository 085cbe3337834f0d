/** Arguments that the comments of a partial call optional, where it declares none in `{% doc %}`. */
import { derived } from '../../../core/model/derived.ts'
import type { Unit } from '../../../core/model/unit.ts'

const COMMENT = /\{%-?\s*comment\s*-?%\}([\s\S]*?)\{%-?\s*endcomment\s*-?%\}|\{%-?\s*#([^%]*)-?%\}|^[ \t]*#(.*)$/gm
/** A line about one argument: `@param {string} [title]`, `* title - optional, …`, `title (default: 'x')`. */
const LINE = /^[\s*#-]*(?:@param\b\s*)?(?:\{[^}]*\}\s*)?(\[?)`?([A-Za-z_]\w*)/
const OPTIONAL = /\boptional(?:ly)?\b|\bdefaults?\b|\bif (?:you|needed|wanted|given|present)\b/i

/** The names, without those whose line does not say so. */
export const optionalInComments: (unit: Unit) => ReadonlySet<string> = derived((unit: Unit) => {
  const names = new Set<string>()
  for (const [, block, inline, line] of unit.file.text.matchAll(COMMENT))
    for (const each of (block ?? inline ?? line ?? '').split('\n')) {
      const [, bracket, name] = LINE.exec(each) ?? []
      if (name !== undefined && (bracket === '[' || OPTIONAL.test(each))) names.add(name)
    }
  return names
})
