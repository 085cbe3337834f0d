/** `change-on-get`: a page that handles GET requests but changes data. `at`: the mutation, if it is in another file. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { ActionSearch, changesData, otherSpan } from '../../site/actions.ts'
import type { CheckedSite } from '../../site/site-rule.ts'

const CREATE = `mutation { record_create(record: { table: "note", properties: [{ name: "text", value: "x" }] }) { id } }`

export const changeOnGet = message(
  'change-on-get',
  'warning',
  'WS29',
  (field: string, span: Span | null) => ({
    text: `This page handles GET requests and runs ${quote(field)}, so anyone who follows a link to it changes data, even a crawler.`,
    hint: 'Set `method: post` in the front matter, and call the page with a form.',
    related: relatedAt(span, 'the mutation runs here'),
  }),
  {
    wrong: `{% graphql note = 'create' %}{{ note.record_create.id }}`,
    right: `---\nslug: notes\nmethod: post\n---\n{% graphql note = 'create' %}{{ note.record_create.id }}`,
    both: {
      'app/graphql/create.graphql': CREATE,
      'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
    },
  },
)

/** Reports pages that handle GET requests and change data, also through calls and jobs, unless they look at the method themselves. */
export function checkGetPages(checked: CheckedSite): readonly Diagnostic[] {
  const changes = new ActionSearch(checked, changesData, true)
  return checked.site.pages.flatMap(({ file, settings }) => {
    const action = settings.method === 'get' ? changes.findInFile(file.path) : null
    return action === null || /REQUEST_METHOD/.test(file.text)
      ? []
      : [changeOnGet(action.from, action.field, otherSpan(action))]
  })
}
