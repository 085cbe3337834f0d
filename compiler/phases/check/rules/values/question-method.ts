/** `question-method`: a Ruby method such as `blank?` that is used instead of a comparison. */
import { ownerText, type PartRead } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
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

/** Reports a key that is such a Ruby method. Returns whether it is one. */
export function checkQuestionMethod(walk: Walk, read: PartRead): boolean {
  const { accessor, key, purpose } = read
  if (accessor.kind !== 'key' || !key.endsWith('?') || !(Object.hasOwn(COMPARISONS, key) || key === 'include?'))
    return false
  walk.report(questionMethod(accessor.span, key, ownerText(walk, read), purpose === 'test'))
  return true
}
