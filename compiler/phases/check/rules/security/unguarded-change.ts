/** `unguarded-change`: a page that changes or deletes data without checking who sends the request. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

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
    related: span === null ? [] : [{ span, message: 'the mutation runs here' }],
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
