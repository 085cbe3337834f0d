/** `content-without-yield`: a `content_for` whose name no `yield` prints. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { contentBlocks, unfilledNames, unprintedNames } from '../../site/content-blocks.ts'
import { findNearest } from '../../../../core/diagnostics/suggest.ts'

export const contentWithoutYield = message(
  'content-without-yield',
  'warning',
  'WS34',
  (name: string, knownNames: Iterable<string>) => ({
    text: `No \`yield\` prints ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: `Print the content with \`{% yield '${name}' %}\`, or remove it.` }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)

/** Reports blocks that nothing prints, unless a `yield` with a similar name is reported instead. */
export function checkUnprintedBlocks(checked: CheckedSite): readonly Diagnostic[] {
  const blocks = contentBlocks(checked)
  if (blocks.mayPrintAny) return []
  const unfilled = unfilledNames(checked.site, blocks)
  return unprintedNames(blocks).flatMap((name) => {
    const span = blocks.filled.get(name)
    return span === undefined || findNearest(name, unfilled) !== null
      ? []
      : [contentWithoutYield(span, name, blocks.printed.keys())]
  })
}
