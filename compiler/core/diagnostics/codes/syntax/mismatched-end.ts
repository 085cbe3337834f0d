/**
 * `mismatched-end`: an end tag that does not match the open block, or that has no open block. Reported by `TreeBuilder`
 * (phases/parse/build-tree.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message, relatedAt } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const mismatchedEnd = message(
  'mismatched-end',
  'error',
  'LiquidHTMLSyntaxError',
  // `fix`: `instead` replaces this end tag, `first` adds the missing end tag before it, `gone` removes it.
  (found: string, open: string | null, opened: Span | null, fix: 'instead' | 'first' | 'gone') => ({
    subject: { kind: 'tag', name: found, of: open },
    text:
      open === null
        ? `${quote(found)} closes a tag that was never opened.`
        : `${quote(found)} does not close the open tag \`${open}\`, which needs \`end${open}\`.`,
    hint: fix === 'gone' || open === null ? 'Remove this tag.' : `Write \`{% end${open} %}\` ${fix}.`,
    change: {
      edits: [
        fix === 'gone' || open === null
          ? { target: 'markup', text: '' }
          : fix === 'instead'
            ? { target: 'markup', match: `\\b${found}\\b(?:\\s+\\w+)?`, text: `end${open}` }
            : { target: 'before markup', text: `{% end${open} %}` },
      ],
      // Only the author knows where the block was meant to end.
      safe: fix === 'instead',
    },
    related: relatedAt(opened, `\`${open}\` is opened here`),
  }),
  {
    wrong: '{% if context.params.a %}yes{% endfor %}{% endif %}',
    right: '{% if context.params.a %}yes{% endif %}',
  },
)
