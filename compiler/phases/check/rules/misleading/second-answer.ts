/** `second-answer`: a `redirect_to` or `response_status` that replaces an earlier one on the same path. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { isAnswer, forEachAnswer } from '../../site/answers.ts'

export const secondAnswer = message(
  'second-answer',
  'warning',
  'WS48',
  (first: string, before: Span) => ({
    text: `This sets the response a second time, because the earlier ${quote(first)} does not end the template.`,
    hint: `Write \`{% return %}\` after the first tag, or remove one of the two tags.`,
    change: { edits: [{ span: before, target: 'after markup', text: '{% return %}' }] },
    related: [{ span: before, message: 'the response is first set here' }],
  }),
  {
    wrong: `{% if context.params.id == blank %}{% response_status 404 %}{% endif %}{% response_status 201 %}`,
    right: `{% if context.params.id == blank %}{% response_status 404 %}{% return %}{% endif %}{% response_status 201 %}`,
  },
)

/** Reports tags that set the response after another tag on the same path. */
export function checkSecondAnswers(checked: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  forEachAnswer(checked, (_, tags) => {
    for (const { tag, answer } of tags)
      if (isAnswer(tag)) diagnostics.push(secondAnswer(tag.span, answer.name, answer.span))
  })
  return diagnostics
}
