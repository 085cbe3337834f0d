/** Blocks of content: those that `content_for` fills and no layout prints, and those that are printed and never filled. */
import { contentWithoutYield } from '../../diagnostics/codes/site/content-without-yield.ts'
import { yieldWithoutContent } from '../../diagnostics/codes/site/yield-without-content.ts'
import { nearest } from '../../diagnostics/suggest.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Span } from '../../source/span.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from './facts.ts'
import { literalText } from './literal-text.ts'

export interface BlockRules {
  readonly pieces: readonly Piece[]
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

export function checkBlocks({ pieces, factsOf }: BlockRules): readonly Diagnostic[] {
  const filled = new Map<string, Span>()
  const printed = new Map<string, { readonly span: Span; readonly optional: boolean }>()
  let anyFilled = false
  let anyPrinted = false
  for (const piece of pieces) {
    for (const { note } of factsOf(piece)?.notes ?? []) {
      if (note.kind === 'content-for') {
        const name = literalText(note.name)
        if (name === null) anyFilled = true
        else if (!filled.has(name)) filled.set(name, note.name.span)
      } else if (note.kind === 'yield') {
        const name = literalText(note.name)
        if (name === null) anyPrinted = true
        else if (!printed.has(name)) printed.set(name, { span: note.name.span, optional: note.optional })
      }
    }
  }
  const diagnostics: Diagnostic[] = []
  // A name that is misspelled on one side is told there once.
  const unfilled = anyFilled
    ? []
    : [...printed].flatMap(([name, { optional }]) => (optional || filled.has(name) ? [] : [name]))
  if (!anyPrinted)
    for (const [name, span] of filled)
      if (!printed.has(name) && nearest(name, unfilled) === null)
        diagnostics.push(contentWithoutYield(span, name, printed.keys()))
  if (!anyFilled)
    for (const [name, { span, optional }] of printed)
      if (!optional && !filled.has(name)) diagnostics.push(yieldWithoutContent(span, name, filled.keys()))
  return diagnostics
}
