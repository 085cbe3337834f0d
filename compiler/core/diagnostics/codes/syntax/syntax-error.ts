/** `syntax-error`: something stands where the grammar has no place for it. Codes that know more come first. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const syntaxError = message(
  'syntax-error',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string, expected: string) => ({
    text: `${found === '' ? 'The markup ends here' : `${quoted(found)} cannot stand here`}; ${expected} was expected.`,
  }),
  {
    wrong: '{{ context.params[ }}',
    right: `{{ context.params['a'] }}`,
  },
)
