/** Inlay hints after variable names: the inferred type, with `?` for values that may be nil. */
import type { Observer } from '../../../phases/check/check.ts'
import type { NameNode } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import { describe, members } from '../../../language/types/relate.ts'
import type { Workspace } from '../workspace.ts'
import { mayBeNil, describeType } from './descriptions.ts'

interface InlayHintAt {
  /** The end of the name. */
  readonly offset: number
  readonly label: string
  /** The full type. */
  readonly tooltip: string
}

/** Matches a literal after a name. Its type is obvious, so it gets no hint. */
const LITERAL = /^\s*=\s*(?:'[^']*'|"[^"{]*"|-?[\d.]+|true|false|nil|null|\[\s*\]|\{)\s*(?:$|\r?\n|-?%\})/

/** Returns the hints of the variables assigned in a range of a template. */
export function inlayHints(workspace: Workspace, path: string, start: number, end: number): readonly InlayHintAt[] {
  const file = workspace.file(path)
  if (file === null || !path.endsWith('.liquid')) return []
  const found = new Map<number, InlayHintAt>()
  const observer: Observer = {
    value() {},
    visitAccessor() {},
    set({ name, span }: NameNode, type: Type) {
      if (span.file !== path || span.start < start || span.end > end) return
      // Skips names that the compiler generated.
      if (file.text.slice(span.start, span.end) !== name) return
      const label = typeLabel(type)
      if (label === null || LITERAL.test(file.text.slice(span.end, span.end + 200))) found.delete(span.end)
      else found.set(span.end, { offset: span.end, label, tooltip: `${name}: ${describeType(type)}` })
    },
  }
  workspace.analyzeText(file, observer)
  return [...found.values()].toSorted((a, b) => a.offset - b.offset)
}

/** Returns `: text` or `: hash?`; null for an unknown type. */
function typeLabel(type: Type): string | null {
  const types = members(type)
  if (types.some(({ kind }) => kind === 'unknown' || kind === 'never')) return null
  const otherTypes = types.filter(({ kind }) => kind !== 'nil')
  const [first] = otherTypes
  if (first === undefined) return ': nil'
  const rest: Type = otherTypes.length === 1 ? first : { kind: 'union', members: otherTypes }
  return `: ${describe(rest)}${mayBeNil(type) ? '?' : ''}`
}
