/** What the checker knows of variables, to be shown behind their names: their types, and `?` for those that may be nil. */
import type { Observer } from '../../../phases/check/check.ts'
import type { NameNode } from '../../../core/model/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import { describe, members } from '../../../language/types/relate.ts'
import type { Workspace } from '../workspace.ts'
import { mayBeNil, typeWords } from './words.ts'

export interface InlayHintAt {
  /** Behind the name. */
  readonly offset: number
  readonly label: string
  /** All that is known. */
  readonly tooltip: string
}

/** What stands right behind a name and tells its type without words. */
const LITERAL = /^\s*=\s*(?:'[^']*'|"[^"{]*"|-?[\d.]+|true|false|nil|null|\[\s*\]|\{)\s*(?:$|\r?\n|-?%\})/

/** The hints of the variables that are set between two places of a template. */
export function inlayHints(workspace: Workspace, path: string, start: number, end: number): readonly InlayHintAt[] {
  const file = workspace.file(path)
  if (file === null || !path.endsWith('.liquid')) return []
  const found = new Map<number, InlayHintAt>()
  const observer: Observer = {
    value() {},
    part() {},
    set({ name, span }: NameNode, type: Type) {
      if (span.file !== path || span.start < start || span.end > end) return
      // Names that were made up by the compiler do not stand there.
      if (file.text.slice(span.start, span.end) !== name) return
      const label = labelOf(type)
      if (label === null || LITERAL.test(file.text.slice(span.end, span.end + 200))) found.delete(span.end)
      else found.set(span.end, { offset: span.end, label, tooltip: `${name}: ${typeWords(type)}` })
    },
  }
  workspace.readingOf(file, observer)
  return [...found.values()].toSorted((a, b) => a.offset - b.offset)
}

/** `: text`, `: hash?`; null for what nobody knows. */
function labelOf(type: Type): string | null {
  const all = members(type)
  if (all.some(({ kind }) => kind === 'unknown' || kind === 'never')) return null
  const others = all.filter(({ kind }) => kind !== 'nil')
  const [first] = others
  if (first === undefined) return ': nil'
  const rest: Type = others.length === 1 ? first : { kind: 'union', of: others }
  return `: ${describe(rest)}${mayBeNil(type) ? '?' : ''}`
}
