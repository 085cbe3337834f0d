/** Checks content blocks: each `content_for` needs a `yield` that prints it, and each `yield` needs a `content_for`. */
import { contentWithoutYield } from '../rules/site/content-without-yield.ts'
import { yieldWithoutContent } from '../rules/site/yield-without-content.ts'
import { findLikelyTypo, findNearest } from '../../../core/diagnostics/suggest.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { UnitFacts } from '../walk/facts.ts'
import { literalText } from '../walk/literal-text.ts'
import { timesWritten } from '../walk/written-names.ts'

export interface BlockCheckInput {
  readonly site: Site
  readonly siteTemplates: readonly SiteTemplate[]
  readonly factsOf: (key: string) => UnitFacts | undefined
}

interface PrintedBlock {
  readonly span: Span
  /** Whether the `yield` has a default. */
  readonly isOptional: boolean
}

/** Reports blocks that are filled but not printed, and the reverse. */
export function checkBlocks({ site, siteTemplates, factsOf }: BlockCheckInput): readonly Diagnostic[] {
  const filledBlocks = new Map<string, Span>()
  const printedBlocks = new Map<string, PrintedBlock>()
  let mayFillAny = false
  let mayPrintAny = false
  for (const siteTemplate of siteTemplates) {
    for (const { note } of factsOf(siteTemplate.key)?.notes ?? []) {
      if (note.kind === 'content-for') {
        const name = literalText(note.name)
        if (name === null) mayFillAny = true
        else if (!filledBlocks.has(name)) filledBlocks.set(name, note.name.span)
      } else if (note.kind === 'yield') {
        const name = literalText(note.name)
        if (name === null) mayPrintAny = true
        else if (!printedBlocks.has(name))
          printedBlocks.set(name, { span: note.name.span, isOptional: note.otherwise !== null })
      }
    }
  }
  // A misspelled name is reported once, for the spelling that occurs less often in the site.
  const unprintedNames = [...filledBlocks.keys()].filter((name) => !printedBlocks.has(name))
  const isReported = (name: string, { isOptional }: PrintedBlock) => {
    const similarName = isOptional ? findLikelyTypo(name, unprintedNames) : findNearest(name, unprintedNames)
    return similarName === null ? !isOptional : timesWritten(name, site) < timesWritten(similarName, site)
  }
  const unfilledBlocks = mayFillAny
    ? []
    : [...printedBlocks].filter(([name, each]) => !filledBlocks.has(name) && isReported(name, each))
  const unfilledNames = unfilledBlocks.map(([name]) => name)
  const reportedNames = mayPrintAny ? [] : unprintedNames.filter((name) => findNearest(name, unfilledNames) === null)
  return [
    ...reportedNames.flatMap((name) => {
      const span = filledBlocks.get(name)
      return span === undefined ? [] : [contentWithoutYield(span, name, printedBlocks.keys())]
    }),
    ...unfilledBlocks.map(([name, { span }]) => yieldWithoutContent(span, name, filledBlocks.keys())),
  ]
}
