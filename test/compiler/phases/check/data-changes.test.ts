/** Which data templates change, how they respond, and whether their forms contain CSRF tokens. */
import { describe, expect, it } from 'vitest'
import { checkFiles, type Files, partial, problems, site } from '../../../support/compiler/check.ts'

const CODES = [
  'change-on-get',
  'unguarded-change',
  'network-in-transaction',
  'effect-after-redirect',
  'second-answer',
  'form-without-token',
]

function reported(files: Files | string): readonly string[] {
  return problems(files).filter((each) => CODES.includes(each.slice(0, each.indexOf(' '))))
}

const DATA: Files = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
  'app/graphql/create.graphql':
    'mutation { record_create(record: { table: "note", properties: [{ name: "text", value: "x" }] }) { id } }',
  'app/graphql/delete.graphql': 'mutation($id: ID!) { record_delete(id: $id, table: "note") { id } }',
  'app/graphql/find.graphql': 'query { records(per_page: 5, filter: { table: { value: "note" } }) { results { id } } }',
  'app/graphql/send.graphql': 'mutation { api_call_send(template: { name: "placed" }) { response { status } } }',
  'app/lib/remove.liquid': `{% graphql g = 'delete', id: id %}{% return g.record_delete.id %}`,
  'app/views/partials/remove_in_job.liquid': `{% graphql g = 'delete', id: id %}{{ g.record_delete.id }}`,
  'app/notifications/api_call_notifications/placed.liquid':
    '---\nname: placed\nto: https://example.com\nrequest_type: POST\n---\n{}',
}
const CREATE = `{% graphql g = 'create' %}{{ g.record_create.id }}`
const DELETE = `{% graphql g = 'delete', id: context.params.id %}{{ g.record_delete.id }}`
const FRONT = '---\nslug: notes\nmethod: post\n---\n'
const GUARDED = '---\nslug: notes\nmethod: post\nauthorization_policies:\n  - signed_in\n---\n'
const POLICY: Files = {
  'app/authorization_policies/signed_in.liquid':
    '---\nname: signed_in\n---\n{% if context.current_user %}true{% endif %}',
}

describe('a page that answers GET', () => {
  it.each<[string, string, readonly string[]]>([
    ['and changes data', CREATE, ['change-on-get 1:1']],
    ['and changes data under a condition', `{% if context.params.go %}${CREATE}{% endif %}`, ['change-on-get 1:27']],
    ['and calls what does', `{% function id = 'remove', id: context.params.id %}{{ id }}`, ['change-on-get 1:18']],
    ['and only reads', `{% graphql g = 'find' %}{{ g.records.results.size }}`, []],
    ['and sends something', `{% graphql g = 'send' %}{{ g.api_call_send.response.status }}`, []],
    [
      'and starts a job that changes data',
      `{% background j = 'remove_in_job', id: context.params.id %}{{ j }}`,
      ['change-on-get 1:19'],
    ],
    ['and has a job that changes data', `{% background %}${CREATE}{% endbackground %}`, ['change-on-get 1:1']],
    ['and starts a job that reads', `{% background %}{% graphql g = 'find' %}{% log g %}{% endbackground %}`, []],
    ['but looks at the method', `{% if context.headers.REQUEST_METHOD == 'POST' %}${CREATE}{% endif %}`, []],
  ])('%s', (_name, page, expected) => expect(reported(site(page, DATA))).toEqual(expected))
})

describe('pages that share partials', () => {
  const calls = (...names: readonly string[]) => names.map((each) => `{% render '${each}' %}`).join('')
  const page = (name: string, text: string): Files => ({ [`app/views/pages/${name}.liquid`]: text })
  it('are told each by what it comes to itself, also where partials call each other in a circle', () => {
    const files: Files = {
      ...DATA,
      ...page('a', calls('reads')),
      ...page('b', calls('reads', 'first')),
      ...page('c', calls('first')),
      ...page('d', calls('second', 'reads')),
      ...partial('reads', `{% graphql g = 'find' %}{{ g.records.results.size }}`),
      ...partial('first', `{% if context.params.go %}${calls('second')}{% endif %}`),
      ...partial('second', `{% if context.params.go %}${calls('first')}{% endif %}${CREATE}`),
    }
    const told = checkFiles(files).diagnostics.filter(({ code }) => code === 'change-on-get')
    expect(told.map(({ span }) => `${span.file}:${span.start}`)).toEqual([
      'app/views/pages/b.liquid:30',
      'app/views/pages/c.liquid:10',
      'app/views/pages/d.liquid:10',
    ])
  })
})

describe('a page that changes what is there', () => {
  it.each<[string, string, readonly string[]]>([
    ['for whoever asks', FRONT + DELETE, ['unguarded-change 5:1']],
    [
      'through a function',
      `${FRONT}{% function id = 'remove', id: context.params.id %}{{ id }}`,
      ['unguarded-change 5:18'],
    ],
    ['with a policy', GUARDED + DELETE, []],
    ['where the user is asked for', `${FRONT}{% if context.current_user %}${DELETE}{% endif %}`, []],
    [
      'where a signature is asked for',
      `${FRONT}{% assign ok = context.params.t | is_token_valid: 1 %}{% if ok %}${DELETE}{% endif %}`,
      [],
    ],
    ['by adding to it', FRONT + CREATE, []],
  ])('%s', (_name, page, expected) => expect(reported(site(page, DATA, POLICY))).toEqual(expected))
})

describe('behind a redirect', () => {
  it.each<[string, string, readonly string[]]>([
    ['data is changed', `{% redirect_to '/notes' %}${CREATE}`, ['effect-after-redirect 7:27']],
    [
      'data is changed in a block',
      `{% redirect_to '/notes' %}{% transaction %}${CREATE}{% endtransaction %}`,
      ['effect-after-redirect 7:44'],
    ],
    [
      'of one way data is changed',
      `{% if context.params.a %}{% redirect_to '/notes' %}{% endif %}${CREATE}`,
      ['effect-after-redirect 7:63'],
    ],
    [
      'and a return nothing runs',
      `{% if context.params.a %}{% redirect_to '/notes' %}{% return %}{% endif %}${CREATE}`,
      [],
    ],
    [
      'and a break nothing runs',
      `{% if context.params.a %}{% redirect_to '/notes' %}{% break %}{% endif %}${CREATE}`,
      [],
    ],
    [
      'the other way is another one',
      `{% if context.params.a %}{% redirect_to '/notes' %}{% else %}${CREATE}{% endif %}`,
      [],
    ],
    ['only texts are printed', `{% redirect_to '/notes' %}<p>Moved</p>`, []],
    ['that comes last nothing is changed', `${CREATE}{% redirect_to '/notes' %}`, []],
    [
      'under a condition another condition may exclude it',
      `{% if context.params.a %}{% redirect_to '/notes' %}{% endif %}{% unless context.params.a %}${CREATE}{% endunless %}`,
      [],
    ],
  ])('%s', (_name, page, expected) =>
    expect(reported(site(GUARDED + page, DATA, POLICY)).filter((each) => !each.startsWith('form'))).toEqual(expected),
  )
})

describe('an answer', () => {
  it.each<[string, string, readonly string[]]>([
    ['that replaces another', `{% response_status 404 %}{% redirect_to '/' %}`, ['second-answer 1:26']],
    [
      'that replaces one of a branch',
      `{% if context.params.a %}{% redirect_to '/' %}{% endif %}{% response_status 201 %}`,
      ['second-answer 1:58'],
    ],
    [
      'on the other way',
      `{% if context.params.a %}{% redirect_to '/' %}{% else %}{% response_status 404 %}{% endif %}`,
      [],
    ],
    [
      'behind one that ended the page',
      `{% if context.params.a %}{% redirect_to '/' %}{% return %}{% endif %}{% response_status 201 %}`,
      [],
    ],
    [
      'that a condition replaces on purpose',
      `{% response_status 200 %}{% if context.params.a %}{% response_status 404 %}{% endif %}`,
      [],
    ],
    [
      'in each case',
      `{% case context.params.a %}{% when '1' %}{% response_status 201 %}{% else %}{% response_status 404 %}{% endcase %}`,
      [],
    ],
  ])('%s', (_name, page, expected) => expect(reported(page)).toEqual(expected))
})

describe('a transaction', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'that waits for another server',
      `{% transaction %}{% graphql g = 'send' %}{{ g.api_call_send.response.status }}{% endtransaction %}`,
      ['network-in-transaction 1:18'],
    ],
    [
      'behind which something is sent',
      `{% transaction %}{% graphql f = 'find' %}{{ f.records.results.size }}{% endtransaction %}{% graphql g = 'send' %}{{ g.api_call_send.response.status }}`,
      [],
    ],
  ])('%s', (_name, page, expected) => expect(reported(site(page, DATA))).toEqual(expected))
})

describe('a form', () => {
  const TARGET: Files = { 'app/views/pages/notes.liquid': FRONT }
  const TOKEN = '<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">'
  it.each<[string, Files, readonly string[]]>([
    [
      'that posts without a token',
      site('<form action="/notes" method="post"><button>x</button></form>', TARGET),
      ['form-without-token 1:1'],
    ],
    [
      'in a partial',
      site(`{% render 'f' %}`, TARGET, partial('f', `<form method='POST' action='/notes'></form>`)),
      ['form-without-token f.liquid 1:1'],
    ],
    [
      'without a token in its partials',
      site(`<form action="/notes" method="post">{% render 'f' %}</form>`, TARGET, partial('f', '<button>x</button>')),
      ['form-without-token 1:1'],
    ],
    ['with a token', site(`<form action="/notes" method="post">${TOKEN}</form>`, TARGET), []],
    [
      'with a token in a partial',
      site(`<form action="/notes" method="post">{% render 'f' %}</form>`, TARGET, partial('f', TOKEN)),
      [],
    ],
    [
      'with the token under another name',
      site(`<form action="/notes" method="post">${TOKEN.replace('"authenticity_token"', '"csrf"')}</form>`, TARGET),
      ['form-without-token 1:1'],
    ],
    [
      'with the token under a computed name',
      site(`<form action="/notes" method="post">${TOKEN.replace('"authenticity_token"', '"{{ n }}"')}</form>`, TARGET),
      [],
    ],
    [
      'with the token in its address',
      site('<form action="/notes?authenticity_token={{ context.authenticity_token }}" method="post"></form>', TARGET),
      [],
    ],
    ['that asks', site('<form action="/search"><input name="q"></form>', TARGET), []],
    ['for another server', site('<form action="https://example.com/pay" method="post"></form>'), []],
    [
      'for an address that is not known',
      site('<form action="{{ context.params.url | escape }}" method="post"></form>'),
      [],
    ],
    ['that a script sends', site('<form action="/notes" method="post" onsubmit="send(event)"></form>', TARGET), []],
    ['in a comment', site('<!-- <form action="/notes" method="post"></form> -->', TARGET), []],
  ])('%s', (_name, files, expected) => expect(reported(files)).toEqual(expected))
})
