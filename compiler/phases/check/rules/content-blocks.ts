/** Blocks of content: those that `content_for` fills and no layout prints, and those that are printed and never filled. */
import { contentWithoutYield } from '../../../core/diagnostics/codes/site/content-without-yield.ts'
import { yieldWithoutContent } from '../../../core/diagnostics/codes/site/yield-without-content.ts'
import { findLikelyTypo, findNearest } from '../../../core/diagnostics/suggest.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from './facts.ts'
import { literalText } from './literal-text.ts'
import { timesWritten } from './written-names.ts'

export interface BlockRules {
  readonly site: Site
  readonly pieces: readonly Piece[]
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

interface Printed {
  readonly span: Span
  /** It has a default. */
  readonly optional: boolean
}

export function checkBlocks({ site, pieces, factsOf }: BlockRules): readonly Diagnostic[] {
  const filled = new Map<string, Span>()
  const printed = new Map<string, Printed>()
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
        else if (!printed.has(name)) printed.set(name, { span: note.name.span, optional: note.otherwise !== null })
      }
    }
  }
  // A name that is misspelled on one side is told there once: of both spellings, the one that the site has less often is the slip.
  const idle = [...filled.keys()].filter((name) => !printed.has(name))
  const isSlip = (name: string, { optional }: Printed) => {
    const meant = optional ? findLikelyTypo(name, idle) : findNearest(name, idle)
    return meant === null ? !optional : timesWritten(name, site) < timesWritten(meant, site)
  }
  const lacking = anyFilled ? [] : [...printed].filter(([name, each]) => !filled.has(name) && isSlip(name, each))
  const names = lacking.map(([name]) => name)
  const unprinted = anyPrinted ? [] : idle.filter((name) => findNearest(name, names) === null)
  return [
    ...unprinted.flatMap((name) => {
      const span = filled.get(name)
      return span === undefined ? [] : [contentWithoutYield(span, name, printed.keys())]
    }),
    ...lacking.map(([name, { span }]) => yieldWithoutContent(span, name, filled.keys())),
  ]
}
