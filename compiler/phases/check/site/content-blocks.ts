/** Collects the content blocks of a site: those that `content_for` fills, and those that `yield` prints. */
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { findLikelyTypo, findNearest } from '../../../core/diagnostics/suggest.ts'
import { literalText } from '../walk/literal-text.ts'
import { onceForSite } from './site-rule.ts'
import { timesWritten } from '../walk/written-names.ts'

interface PrintedBlock {
  readonly span: Span
  /** Whether the `yield` has a default. */
  readonly isOptional: boolean
}

interface ContentBlocks {
  /** The first `content_for` of each block. */
  readonly filled: ReadonlyMap<string, Span>
  /** The first `yield` of each block. */
  readonly printed: ReadonlyMap<string, PrintedBlock>
  /** Whether a computed name may fill any block. */
  readonly mayFillAny: boolean
  /** Whether a computed name may print any block. */
  readonly mayPrintAny: boolean
}

/** Collects the content blocks of a site. */
export const contentBlocks = onceForSite(({ siteTemplates, factsOf }): ContentBlocks => {
  const filled = new Map<string, Span>()
  const printed = new Map<string, PrintedBlock>()
  let mayFillAny = false
  let mayPrintAny = false
  for (const siteTemplate of siteTemplates) {
    for (const { note } of factsOf(siteTemplate.key)?.notes ?? []) {
      if (note.kind === 'content-for') {
        const name = literalText(note.name)
        if (name === null) mayFillAny = true
        else if (!filled.has(name)) filled.set(name, note.name.span)
      } else if (note.kind === 'yield') {
        const name = literalText(note.name)
        if (name === null) mayPrintAny = true
        else if (!printed.has(name)) printed.set(name, { span: note.name.span, isOptional: note.otherwise !== null })
      }
    }
  }
  return { filled, printed, mayFillAny, mayPrintAny }
})

/** Returns the names of the blocks that are filled but not printed by their name. */
export function unprintedNames({ filled, printed }: ContentBlocks): readonly string[] {
  return [...filled.keys()].filter((name) => !printed.has(name))
}

/**
 * Returns the names of the blocks that are printed, certainly not filled, and reported there. A misspelled name is reported only once, for
 * the spelling that occurs less often in the site.
 */
export function unfilledNames(site: Site, blocks: ContentBlocks): readonly string[] {
  const { filled, printed, mayFillAny } = blocks
  const others = unprintedNames(blocks)
  const isReported = (name: string, { isOptional }: PrintedBlock) => {
    const similarName = isOptional ? findLikelyTypo(name, others) : findNearest(name, others)
    return similarName === null ? !isOptional : timesWritten(name, site) < timesWritten(similarName, site)
  }
  return mayFillAny
    ? []
    : [...printed].flatMap(([name, block]) => (filled.has(name) || !isReported(name, block) ? [] : [name]))
}
