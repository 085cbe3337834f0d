/** `form-without-token`: a form that changes something, without the token that says who sends it. */
import { message } from '../../diagnostic.ts'

const PAGE = '---\nslug: notes\nmethod: post\n---\n'

export const formWithoutToken = message(
  'form-without-token',
  'warning',
  'WS28',
  () => ({
    text: 'This form sends no `authenticity_token`: the page that it goes to sees nobody signed in.',
    hint: 'Write `<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">` into it.',
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
