/** `change-on-get`: a page that answers GET changes data. `at` is the mutation, where it stands elsewhere. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const SCHEMA = 'name: note\nproperties:\n  - name: text\n    type: string\n'
const CREATE = `mutation { record_create(record: { table: "note", properties: [{ name: "text", value: "x" }] }) { id } }`

export const changeOnGet = message(
  'change-on-get',
  'warning',
  'WS29',
  (field: string, at: Span | null) => ({
    text: `This page answers GET and runs ${quoted(field)}: whoever follows a link to it, and every crawler, changes data.`,
    hint: 'Write `method: post` into the front matter, and send a form to it.',
    related: at === null ? [] : [{ span: at, message: 'the mutation runs here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% graphql note = 'create' %}{{ note.record_create.id }}`,
      'app/graphql/create.graphql': CREATE,
      'app/schema/note.yml': SCHEMA,
    },
    right: {
      'app/views/pages/index.liquid': `---\nslug: notes\nmethod: post\n---\n{% graphql note = 'create' %}{{ note.record_create.id }}`,
      'app/graphql/create.graphql': CREATE,
      'app/schema/note.yml': SCHEMA,
    },
  },
)
