/** `unguarded-change`: a page that changes or deletes data without checking who sends the request. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { ActionSearch, changesData, otherSpan } from '../../site/actions.ts'
import type { CheckedSite } from '../../site/site-rule.ts'

const SCHEMA = 'name: note\nproperties:\n  - name: text\n    type: string\n'
const DELETE = 'mutation($id: ID!) { record_delete(id: $id, table: "note") { id } }'
const BODY = `{% graphql note = 'delete', id: context.params.id %}{{ note.record_delete.id }}`

export const unguardedChange = message(
  'unguarded-change',
  'warning',
  'UnguardedChange',
  (field: string, span: Span | null) => ({
    text: `This page runs ${quote(field)} for anyone, because it has no policy and never checks the user.`,
    hint: 'Add a policy to the front matter: `authorization_policies: [signed_in]`.',
    related: relatedAt(span, 'the mutation runs here'),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `---\nslug: notes\nmethod: delete\n---\n${BODY}`,
      'app/graphql/delete.graphql': DELETE,
      'app/schema/note.yml': SCHEMA,
    },
    right: {
      'app/views/pages/index.liquid': `---\nslug: notes\nmethod: delete\nauthorization_policies:\n  - signed_in\n---\n${BODY}`,
      'app/authorization_policies/signed_in.liquid':
        '---\nname: signed_in\n---\n{% if context.current_user %}true{% endif %}',
      'app/graphql/delete.graphql': DELETE,
      'app/schema/note.yml': SCHEMA,
    },
  },
)

/** Fields that change existing records or users. */
const CHANGE_OF_EXISTING = /(?:^|_)(?:update|delete)(?:_|$)/

/** Reports pages for methods other than GET that change existing data, have no policy, and do not check the caller. */
export function checkUnguardedPages(checked: CheckedSite): readonly Diagnostic[] {
  const changes = new ActionSearch(checked, (field) => changesData(field) && CHANGE_OF_EXISTING.test(field))
  return checked.site.pages.flatMap(({ file, settings }) => {
    if (settings.method === 'get' || settings.authorizationPolicies.length > 0) return []
    const action = changes.findInFile(file.path)
    return action === null || checksCaller(checked, file.path)
      ? []
      : [unguardedChange(action.from, action.field, otherSpan(action))]
  })
}

/** Matches code that identifies the sender of a request or checks a permission. */
const CALLER_CHECK =
  /current_user|\bsession\b|cookies|headers|constants|csrf_request_valid|is_token_valid|verify_access_key|hcaptcha|spam_protection|can_do|authoriz|authenticat|jwt|hmac/

/** Returns whether a page, or any file that it may call, checks the sender of the request. */
function checksCaller({ site, factsOf }: CheckedSite, page: string): boolean {
  const files = new Set([page])
  for (const file of files) {
    if (CALLER_CHECK.test(site.byFile.get(file)?.file.text ?? '')) return true
    for (const { targets } of factsOf(file)?.calls ?? []) {
      // An unknown target of a call may check the sender.
      if (targets === null || targets.length === 0) return true
      for (const target of targets) files.add(target)
    }
  }
  return false
}
