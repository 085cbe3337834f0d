/** `question-method`: a method of Ruby that asks something, in the place of a comparison. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** What each of them is in Liquid, behind the value. */
const COMPARISONS: Readonly<Record<string, string>> = {
  'nil?': ' == nil',
  'blank?': ' == blank',
  'present?': ' != blank',
  'empty?': ' == empty',
  'any?': ' != empty',
  'none?': ' == empty',
  'zero?': ' == 0',
  'positive?': ' > 0',
  'negative?': ' < 0',
  'exists?': '',
}

/** Whether a key is such a method. */
export function isQuestion(key: string): boolean {
  return Object.hasOwn(COMPARISONS, key) || key === 'include?'
}

export const questionMethod = message(
  'question-method',
  'warning',
  'QuestionMethod',
  /** `asked`: it stands in a condition. */
  (key: string, owner: string, asked: boolean) => {
    const comparison = COMPARISONS[key]
    const written = `${owner}${comparison ?? ' contains …'}`
    return {
      text: `${quoted(key)} is a method of Ruby: Liquid has none, and this is always nil.`,
      hint: asked ? `Write ${quoted(written)}.` : `Ask in a condition: ${quoted(`{% if ${written} %}`)}.`,
      change:
        asked && comparison !== undefined
          ? { edits: [{ reach: 'markup', match: `\\.${key.replace('?', '\\?')}(?!\\w)`, text: comparison }] }
          : undefined,
    }
  },
  {
    wrong: '{% if context.params.name.blank? %}Who are you?{% endif %}',
    right: '{% if context.params.name == blank %}Who are you?{% endif %}',
  },
)
