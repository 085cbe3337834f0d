/** `yield-without-content`: a `yield` of a name that no `content_for` fills. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { contentBlocks, unfilledNames } from '../../site/content-blocks.ts'

export const yieldWithoutContent = message(
  'yield-without-content',
  'warning',
  'WS34',
  (name: string, knownNames: Iterable<string>) => ({
    text: `No \`content_for\` fills ${quote(name)}, so this prints nothing.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `Fill it with \`{% content_for '${name}' %}\`, or add \`default: ''\` if it may be empty.`,
    }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}{% yield 'hed' %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)

/** Reports blocks that nothing fills. A block with a default is reported only if its name is a misspelling. */
export function checkUnfilledBlocks(checked: CheckedSite): readonly Diagnostic[] {
  const blocks = contentBlocks(checked)
  return unfilledNames(checked.site, blocks).flatMap((name) => {
    const block = blocks.printed.get(name)
    return block === undefined ? [] : [yieldWithoutContent(block.span, name, blocks.filled.keys())]
  })
}
