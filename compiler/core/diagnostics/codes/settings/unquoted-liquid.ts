/** `unquoted-liquid`: Liquid as a value of YAML without quotes, which YAML reads as a mapping. */
import { literally } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unquotedLiquid = message(
  'unquoted-liquid',
  'error',
  'YAMLSyntaxError',
  (text: string) => ({
    text: `Liquid in YAML stands in quotes, and ${quoted(text)} has none.`,
    hint: text.includes("'") ? 'Write it in double quotes, or below a `|`.' : `Write ${quoted(`'${text}'`)}.`,
    change: text.includes("'")
      ? { edits: [{ match: '^[^"\\\\]+$', text: `"${literally(text)}"` }] }
      : { edits: [{ text: `'${text}'` }] },
  }),
  {
    wrong: '---\nredirect_to: {{ context.params.a }}\n---\n',
    right: `---\nredirect_to: '{{ context.params.a }}'\n---\n`,
  },
)
