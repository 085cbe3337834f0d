/** `form-without-token`: a form that changes data but does not send the authenticity token. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

const PAGE = '---\nslug: notes\nmethod: post\n---\n'

export const formWithoutToken = message(
  'form-without-token',
  'warning',
  'WS28',
  () => ({
    text: 'This form sends no `authenticity_token`, so the page that receives it runs without the session: no user is signed in.',
    hint: 'Write `<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">` inside the form.',
    change: {
      edits: [
        {
          match: '$',
          text: '<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">',
        },
      ],
    },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': '<form action="/notes" method="post"><button>Add</button></form>',
      'app/views/pages/notes.liquid': PAGE,
    },
    right: {
      'app/views/pages/index.liquid':
        '<form action="/notes" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"><button>Add</button></form>',
      'app/views/pages/notes.liquid': PAGE,
    },
  },
)
