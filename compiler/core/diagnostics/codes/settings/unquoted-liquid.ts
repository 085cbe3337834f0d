/**
 * `unquoted-liquid`: Liquid as a YAML value without quotes, which YAML parses as a mapping. Reported by `parseYaml`
 * (language/settings/yaml.ts).
 */
import { escapeReplacement } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unquotedLiquid = message(
  'unquoted-liquid',
  'error',
  'YAMLSyntaxError',
  (text: string) => ({
    text: `Liquid in YAML needs quotes, but ${quote(text)} has none.`,
    hint: text.includes("'")
      ? 'Put the text in double quotes, or write it as a block after `|`.'
      : `Write ${quote(`'${text}'`)}.`,
    change: text.includes("'")
      ? { edits: [{ match: '^[^"\\\\]+$', text: `"${escapeReplacement(text)}"` }] }
      : { edits: [{ text: `'${text}'` }] },
  }),
  {
    wrong: '---\nredirect_to: {{ context.params.a }}\n---\n',
    right: `---\nredirect_to: '{{ context.params.a }}'\n---\n`,
  },
)
