/** Secrets: the checker follows them to every place where others can see them. */
import { describe, expect, it } from 'vitest'
import { type Files, partial, problems, site } from '../../../support/compiler/check.ts'

function secrets(files: Files | string): readonly string[] {
  return problems(files).filter((each) => each.startsWith('shown-secret'))
}

const S = 'context.constants.STRIPE_SECRET'

function lib(name: string, text: string): Files {
  return { [`app/lib/${name}.liquid`]: text }
}

const USER: Files = {
  'app/graphql/user.graphql':
    'query user($id: ID) { users(per_page: 1, filter: { id: { value: $id } }) { results { id email temporary_token(expires_in: 1) jwt_token encrypted_password } } }',
}
const G = `{% graphql u = 'user', id: '1' %}{% assign user = u.users.results.first %}`
const SEND: Files = {
  'app/graphql/send.graphql':
    'mutation send($data: HashObject) { api_call_send(template: { name: "hook" }, data: $data) { response { status } } }',
}
const SENT = `{% assign d = { "k": ${S} } %}{% graphql r = 'send', data: d %}{{ r.api_call_send.response.status }}`

function hook(to: string, body: string, headers = ''): Files {
  return {
    'app/notifications/api_call_notifications/hook.liquid': `---\nname: hook\nto: ${to}\nformat: https\nrequest_type: POST\n${headers}---\n${body}`,
  }
}

function form(template: string): Files {
  return {
    'app/forms/post.liquid': `---\nname: post\nresource: User\nfields:\n  email:\n  password:\n---\n{% form %}${template}{% endform %}`,
    ...site(`{% include_form 'post' %}`),
  }
}

describe('a secret is found', () => {
  it.each<[string, Files | string, readonly string[]]>([
    ['escaped print', `<p>{{ ${S} }}</p>`, ['shown-secret 1:4']],
    ['attribute', `<p data-x="{{ ${S} | escape | url_encode | json }}"></p>`, ['shown-secret 1:12']],
    ['base64', `<p>{{ ${S} | base64_encode }}</p>`, ['shown-secret 1:4']],
    [
      'through a function',
      site(`{% function r = 'f', k: ${S} %}<p>{{ r }}</p>`, lib('f', '{% return k %}')),
      ['shown-secret 1:62'],
    ],
    ['through a hash', site(`{% assign h = { "a": ${S} } %}<p>{{ h.a }}</p>`), ['shown-secret 1:61']],
    [
      'hash as json',
      site(`{% assign h = { "a": ${S} } %}<script>var x = {{ h | json }}</script>`),
      ['shown-secret 1:74'],
    ],
    ['append', `{% assign t = 'Bearer ' | append: ${S} %}{% log t %}`, ['shown-secret 1:69']],
    ['capture', `{% capture t %}key: {{ ${S} }}{% endcapture %}{% log t %}`, ['shown-secret 1:74']],
    [
      'partial argument',
      site(`{% render 'p', key: ${S} %}`, partial('p', '<b>{{ key }}</b>')),
      ['shown-secret p.liquid 1:4'],
    ],
    [
      'partial of partial, part of a hash',
      site(
        `{% assign c = { "key": ${S} } %}{% render 'p', c: c %}`,
        partial('p', `{% render 'q', k: c.key %}`),
        partial('q', '<b title="{{ k | downcase }}">x</b>'),
      ),
      ['shown-secret q.liquid 1:11'],
    ],
    [
      'constants as a whole',
      site(`{% assign c = context.constants %}<p>{{ c.STRIPE_SECRET }}</p>`),
      ['shown-secret 1:38'],
    ],
    [
      'constants passed',
      site(`{% render 'p', constants: context.constants %}`, partial('p', '<p>{{ constants.STRIPE_SECRET }}</p>')),
      ['shown-secret p.liquid 1:4'],
    ],
    [
      'context passed',
      site(`{% render 'p', context: context %}`, partial('p', '<p>{{ context.constants.STRIPE_SECRET }}</p>')),
      ['shown-secret p.liquid 1:4'],
    ],
    [
      'log in a function',
      site(`{% function r = 'f', k: ${S} %}{{ r }}`, lib('f', `{% log k, type: 'x' %}{% return 1 %}`)),
      ['shown-secret f.liquid 1:1'],
    ],
    ['redirect', `{% assign u = 'https://a.example/?k=' | append: ${S} %}{% redirect_to u %}`, ['shown-secret 1:83']],
    ['response header', `{% assign h = { "X-Key": ${S} } %}{% response_headers h %}`, ['shown-secret 1:62']],
    [
      'response header text',
      `{% capture h %}{ "X-Key": "{{ ${S} }}" }{% endcapture %}{% response_headers h %}`,
      ['shown-secret 1:84'],
    ],
    [
      'export',
      site(`{% assign k = ${S} %}{% export k, namespace: 'a' %}<p>{{ context.exports.a.k }}</p>`),
      ['shown-secret 1:82'],
    ],
    ['session', site(`{% assign k = ${S} %}{% session k = k %}<p>{{ context.session.k }}</p>`), ['shown-secret 1:71']],
    [
      'job',
      site(`{% background j = 'p', key: ${S} %}{{ j }}`, partial('p', '{% log key %}')),
      ['shown-secret p.liquid 1:1'],
    ],
    ['job block', `{% background key: ${S} %}{% log key %}{% endbackground %}`, ['shown-secret 1:54']],
    ['job block alone', `{% background %}{% log ${S} %}{% endbackground %}`, ['shown-secret 1:17']],
    ['password logged', `{% log context.params.password %}`, ['shown-secret 1:1']],
    [
      'password printed',
      `<input type="password" name="password" value="{{ context.params.user.password }}">`,
      ['shown-secret 1:47'],
    ],
    ['password of a form', form('<input value="{{ form.fields.password.value }}">'), ['shown-secret post.liquid 8:25']],
    [
      'password via function',
      site(
        `{% function r = 'f', params: context.params %}{{ r }}`,
        lib('f', '{% log params.password %}{% return 1 %}'),
      ),
      ['shown-secret f.liquid 1:1'],
    ],
    [
      'password redirect',
      `{% assign u = '/x?p=' | append: context.params.password %}{% redirect_to u %}`,
      ['shown-secret 1:59'],
    ],
    ['temporary token logged', site(`${G}{% log user.temporary_token %}`, USER), ['shown-secret 1:75']],
    ['jwt printed in HTML', site(`${G}<p data-t="{{ user.jwt_token }}"></p>`, USER), ['shown-secret 1:86']],
    ['password hash', site(`${G}{{ user.encrypted_password }}`, USER), ['shown-secret 1:75']],
    ['cookie header logged', `{% log context.headers.HTTP_COOKIE %}`, ['shown-secret 1:1']],
    ['authorization header logged', `{% log context.headers.HTTP_AUTHORIZATION %}`, ['shown-secret 1:1']],
    ['session cookie', `<p>{{ context.cookies._pos_session }}</p>`, ['shown-secret 1:4']],
    ['session id', `<p>{{ context.session.session_id | upcase }}</p>`, ['shown-secret 1:4']],
    [
      'other service',
      site(`x`, hook('https://hooks.slack.com/services/1', `{ "text": "{{ ${S} }}" }`)),
      ['shown-secret hook.liquid 7:12'],
    ],
    [
      'other service by data',
      site(SENT, SEND, hook('https://hooks.slack.com/services/1', '{ "text": "{{ data.k }}" }')),
      ['shown-secret hook.liquid 7:12'],
    ],
    [
      'policy logs',
      site('---\nslug: x\nauthorization_policies:\n  - in\n---\nx', {
        'app/authorization_policies/in.liquid': `---\nname: in\n---\n{% log ${S} %}true`,
      }),
      ['shown-secret in.liquid 4:1'],
    ],
    ['list', `{% assign l = [] %}{% assign l << ${S} %}{% for x in l %}{{ x }}{% endfor %}`, ['shown-secret 1:85']],
    ['hash_merge', `{% assign h = {} | hash_merge: key: ${S} %}{{ h.key }}`, ['shown-secret 1:71']],
  ])('%s', (_name, files, expected) => expect(secrets(files)).toEqual(expected))
})

describe('what is right is not told', () => {
  it.each<[string, Files | string]>([
    ['hmac', `{% assign s = 'x' | compute_hmac: ${S} %}<p>{{ s }}</p>`],
    ['tested', `{% if ${S} %}<p>set</p>{% endif %}{% log 'x' %}`],
    ['compared', `{% assign ok = false %}{% if context.params.k == ${S} %}{% assign ok = true %}{% endif %}{{ ok }}`],
    [
      'public key',
      `<script src="https://js.example/?k={{ context.constants.STRIPE_PUBLISHABLE_KEY }}" defer></script>`,
    ],
    ['site key', `<div data-sitekey="{{ context.constants.RECAPTCHA_SITE_KEY }}"></div>`],
    [
      'own service',
      site(
        'x',
        hook('https://api.stripe.com/v1/x', `{ "a": 1 }`, `headers: '{ "Authorization": "Bearer {{ ${S} }}" }'\n`),
      ),
    ],
    [
      'own service by data',
      site(
        SENT,
        SEND,
        hook(
          'https://api.stripe.com/v1',
          '{ "text": "{{ data.k }}" }',
          `headers: '{ "Authorization": "Bearer {{ data.k }}" }'\n`,
        ),
      ),
    ],
    ['computed address', site(SENT, SEND, hook('"{{ data.url }}"', '{ "text": "{{ data.k }}" }'))],
    [
      'generic key to slack',
      site('x', hook('https://hooks.slack.com/1', `{ "a": "{{ context.constants.API_TOKEN }}" }`)),
    ],
    ['masked', `<p>{{ ${S} | slice: 0, 4 }}…</p>`],
    ['size', `<p>{{ ${S} | size }}</p>`],
    ['password errors', form('{{ form.fields.password.name }}{% for e in form.errors.password %}{{ e }}{% endfor %}')],
    [
      'token in mail',
      site(
        'x',
        {
          'app/emails/reset.liquid': `---\nname: reset\nto: a@b.example\nsubject: x\n---\n${G}<a href="https://a.example/reset?t={{ user.temporary_token }}">x</a>`,
        },
        USER,
      ),
    ],
    [
      'jwt as JSON',
      {
        ...{
          'app/views/pages/api.json.liquid': `---\nslug: api\nmethod: post\n---\n${G}{ "t": {{ user.jwt_token | json }} }`,
        },
        ...USER,
      },
    ],
    [
      'sign in token of a link kept in a field',
      `<input type="hidden" name="token" value="{{ context.params.token }}">`,
    ],
    [
      'partial with other argument',
      site(`{% render 'p', key: ${S}, name: 'x' %}`, partial('p', '{% if key %}<b>{{ name }}</b>{% endif %}')),
    ],
    [
      'function that uses it',
      site(
        `{% function r = 'f', k: ${S} %}<p>{{ r }}</p>`,
        lib('f', `{% assign s = 'x' | compute_hmac: k %}{% return s %}`),
      ),
    ],
    ['job output', site(`{% background j = 'p', key: ${S} %}{{ j }}`, partial('p', '{{ key }}'))],
    ['a capture that is sent', `{% capture h %}Bearer {{ ${S} }}{% endcapture %}{% assign s = h | sha1 %}{{ s }}`],
    ['the names of settings', `{% assign h = { "key": ${S} } %}{% for p in h %}{{ p[0] }}{% endfor %}`],
    ['an address', '{{ context.constants.TOKEN_URL }}'],
    [
      'a password that a query checks',
      site(
        `{% graphql r = 'signin', password: context.params.password %}{{ r.users.results.first.authenticate.password }}`,
        {
          'app/graphql/signin.graphql':
            'query signin($password: String!) { users(per_page: 1) { results { authenticate { password(password: $password) } } } }',
        },
      ),
    ],
  ])('%s', (_name, files) => expect(secrets(files)).toEqual([]))
})
