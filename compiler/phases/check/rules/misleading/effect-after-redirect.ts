/** `effect-after-redirect`: data is changed after a `redirect_to`, which does not end the template. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { createEffectFinder } from '../../site/actions.ts'
import { isAnswer, forEachAnswer } from '../../site/answers.ts'

const FRONT = '---\nslug: notes\nmethod: delete\nauthorization_policies:\n  - signed_in\n---\n'

export const effectAfterRedirect = message(
  'effect-after-redirect',
  'warning',
  'WS13',
  (effect: string, redirect: Span) => ({
    text: `${quote(effect)} also runs after the redirect, because \`redirect_to\` does not end the template.`,
    hint: 'Write `{% return %}` after `redirect_to`.',
    change: { edits: [{ span: redirect, target: 'after markup', text: '{% return %}' }] },
    related: [{ span: redirect, message: 'the redirect is here' }],
  }),
  {
    wrong: `${FRONT}{% unless context.params.id %}{% redirect_to '/' %}{% endunless %}{% graphql note = 'delete', id: context.params.id %}{{ note.record_delete.id }}`,
    right: `${FRONT}{% unless context.params.id %}{% redirect_to '/' %}{% return %}{% endunless %}{% graphql note = 'delete', id: context.params.id %}{{ note.record_delete.id }}`,
    both: {
      'app/views/pages/home.liquid': '---\nslug: /\n---\n',
      'app/graphql/delete.graphql': 'mutation($id: ID!) { record_delete(id: $id, table: "note") { id } }',
      'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
      'app/authorization_policies/signed_in.liquid':
        '---\nname: signed_in\n---\n{% if context.current_user %}true{% endif %}',
    },
  },
)

/** Reports the first tag after each redirect that changes data. */
export function checkRedirectEffects(checked: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const findEffect = createEffectFinder(checked)
  forEachAnswer(checked, ({ key }, tags) => {
    const reportedRedirects = new Set<number>()
    for (const { tag, redirect } of tags) {
      if (isAnswer(tag) || redirect === null || reportedRedirects.has(redirect.start)) continue
      const effect = findEffect(key, tag.span)
      if (effect === null) continue
      reportedRedirects.add(redirect.start)
      diagnostics.push(effectAfterRedirect(tag.span, effect, redirect))
    }
  })
  return diagnostics
}
