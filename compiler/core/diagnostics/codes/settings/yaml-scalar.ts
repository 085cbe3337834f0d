/**
 * `yaml-scalar`: a plain value that YAML 1.1, which sites use, parses differently than YAML 1.2. Reported by `parseYaml`
 * (language/settings/yaml.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const yamlScalar = message(
  'yaml-scalar',
  'warning',
  'YAMLScalar',
  /** `read`: the parsed value. `written`: a notation of it that is the same in both versions. `other`: the value in YAML 1.2. */
  (text: string, read: boolean | number | bigint | string, writtenText: string, other: string) => ({
    text:
      typeof read === 'string'
        ? `${quote(text)} is read as text.`
        : `${quote(text)} is read as the ${typeof read === 'boolean' ? 'boolean' : 'number'} ${quote(writtenText)}.`,
    hint:
      typeof read === 'string'
        ? `Write \`${writtenText}\`, or write ${quote(other)} if you mean the number.`
        : `Write ${quote(writtenText)}, or write \`'${text}'\` if you mean the text.`,
    change: { edits: [{ part: text, text: writtenText }], safe: true },
  }),
  {
    wrong: { 'app/config.yml': 'safe_translate: yes\n' },
    right: { 'app/config.yml': 'safe_translate: true\n' },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
