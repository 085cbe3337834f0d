/** `question-method`: a Ruby method such as `blank?` that is used instead of a comparison. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

/** The Liquid comparison that replaces each method, written after the value. */
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

/** Returns whether a key is such a Ruby method. */
export function isQuestionMethod(key: string): boolean {
  return Object.hasOwn(COMPARISONS, key) || key === 'include?'
}

export const questionMethod = message(
  'question-method',
  'warning',
  'QuestionMethod',
  /** `inCondition`: whether the method is used in a condition. */
  (key: string, owner: string, inCondition: boolean) => {
    const comparison = COMPARISONS[key]
    const writtenText = `${owner}${comparison ?? ' contains …'}`
    return {
      text: `${quote(key)} is a Ruby method, which Liquid does not have, so this is always nil.`,
      hint: inCondition ? `Write ${quote(writtenText)}.` : `Use a condition: ${quote(`{% if ${writtenText} %}`)}.`,
      change:
        inCondition && comparison !== undefined
          ? { edits: [{ target: 'markup', match: `\\.${key.replace('?', '\\?')}(?!\\w)`, text: comparison }] }
          : undefined,
    }
  },
  {
    wrong: '{% if context.params.name.blank? %}Who are you?{% endif %}',
    right: '{% if context.params.name == blank %}Who are you?{% endif %}',
  },
)
