/** `yaml-scalar`: a plain value that YAML 1.1, which sites are read by, takes for something else than YAML 1.2 does. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const yamlScalar = message(
  'yaml-scalar',
  'warning',
  'YAMLScalar',
  /** `read`: what it is read as; `written`: how that is written for all; `other`: what newer YAML reads, as it would be written there. */
  (text: string, read: boolean | number | bigint | string, written: string, other: string) => ({
    text:
      typeof read === 'string'
        ? `${quoted(text)} is read as text.`
        : `${quoted(text)} is read as the ${typeof read === 'boolean' ? 'boolean' : 'number'} ${quoted(written)}.`,
    hint:
      typeof read === 'string'
        ? `Write \`${written}\`, or ${quoted(other)} for the number.`
        : `Write ${quoted(written)}, or \`'${text}'\` for the text.`,
    change: { edits: [{ part: text, text: written }], safe: true },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/config.yml': 'safe_translate: yes\n',
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/config.yml': 'safe_translate: true\n',
    },
  },
)
