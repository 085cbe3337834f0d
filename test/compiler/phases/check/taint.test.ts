/** Flows of untrusted text to places where it is dangerous: forty such flows, and forty safe ones. */
import { describe, expect, it } from 'vitest'
import { type Files, partial, problems, site } from '../../../support/compiler/check.ts'

const OURS: ReadonlySet<string> = new Set(['unescaped-input', 'unsafe-place'])

/** Returns the taint diagnostics, without those of other rules. */
function flows(files: Files | string): readonly string[] {
  return problems(files).filter((each) => OURS.has(each.slice(0, each.indexOf(' '))))
}

const TABLE =
  'name: post\nproperties:\n  - name: title\n    type: string\n  - name: body\n    type: text\n  - name: count\n    type: integer\n'
const POSTS = `query posts { records(per_page: 10, filter: { table: { value: "post" } }) { total_entries results { id created_at title: property(name: "title") body: property(name: "body") properties count: property_int(name: "count") image: property_upload(name: "image") { url file_name } } } }`
const DATA: Files = {
  'app/schema/post.yml': TABLE,
  'app/graphql/posts.graphql': POSTS,
}
const FORM_SETTINGS = '---\nname: post_form\nresource: post\nfields:\n  properties:\n    title:\n---\n'

function json(page: string): string {
  return `---\nslug: data\nformat: json\n---\n${page}`
}

const LIB = (name: string, text: string): Files => ({
  [`app/lib/${name}.liquid`]: text,
})

describe('a tainted value that reaches an unsafe place', () => {
  it.each<[string, Files | string, readonly string[]]>([
    ['a parameter that is printed', '{% print context.params.q %}', ['unescaped-input 1:1']],
    ['a parameter marked as safe', '<p>{{ context.params.q | html_safe }}</p>', ['unescaped-input 1:4']],
    ['marked as safe with its entities', '{{ context.params.q | html_safe: raw_text: true }}', ['unescaped-input 1:1']],
    ['a nested parameter', '{% print context.params.user.name %}', ['unescaped-input 1:1']],
    ['a parameter by a computed key', '{% assign k = "q" %}{% print context.params[k] %}', ['unescaped-input 1:21']],
    [
      'through variables',
      '{% assign a = context.params.q %}{% assign b = a | upcase %}{% print b %}',
      ['unescaped-input 1:61'],
    ],
    [
      'through a text',
      `{% assign t = '<b>' | append: context.params.q | append: '</b>' %}{% print t %}`,
      ['unescaped-input 1:67'],
    ],
    [
      'through an interpolation',
      site('{% assign t = "<b>{{ context.params.q }}</b>" %}{% print t %}', {
        'app/config.yml': 'string_interpolation: true\n',
      }),
      ['unescaped-input 1:49'],
    ],
    ['through a hash', '{% assign h = { "q": context.params.q, "n": 1 } %}{% print h.q %}', ['unescaped-input 1:51']],
    [
      'through a written key',
      '{% assign h = {} %}{% assign h["a"] = context.params.q %}{% print h.a %}',
      ['unescaped-input 1:58'],
    ],
    [
      'through a list',
      '{% assign l = [] %}{% assign l << context.params.q %}{% for x in l %}{% print x %}{% endfor %}',
      ['unescaped-input 1:70'],
    ],
    [
      'through split and join',
      `{% assign l = context.params.q | split: ',' %}{% print l | join: ' ' %}`,
      ['unescaped-input 1:47'],
    ],
    [
      'through JSON',
      `{% parse_json h %}{ "q": {{ context.params.q | json }} }{% endparse_json %}{% print h.q %}`,
      ['unescaped-input 1:76'],
    ],
    [
      'JSON of the client',
      `{% assign h = context.params.data | parse_json %}{% for e in h.items %}{% print e.name %}{% endfor %}`,
      ['unescaped-input 1:72'],
    ],
    ['a default beside it', `{% print context.params.q | default: 'none' %}`, ['unescaped-input 1:1']],
    ['as a default', `{% assign t = title | default: context.params.q %}{% print t %}`, ['unescaped-input 1:51']],
    [
      'on one way only',
      `{% if context.params.a %}{% assign t = context.params.q %}{% else %}{% assign t = 'x' %}{% endif %}{% print t %}`,
      ['unescaped-input 1:100'],
    ],
    [
      'decoded behind the escaping',
      `{{ context.params.q | escape | append: '!' | html_safe }}`,
      ['unescaped-input 1:1'],
    ],
    [
      'decoded behind a capture',
      `{% capture t %}<b>{{ context.params.q }}</b>{% endcapture %}{{ t | html_safe }}`,
      ['unescaped-input 1:61'],
    ],
    ['decoded URL text', `{% print context.params.q | url_encode | url_decode %}`, ['unescaped-input 1:1']],
    ['a header', '{% print context.headers.HTTP_REFERER %}', ['unescaped-input 1:1']],
    ['a cookie', '{{ context.cookies.theme | html_safe }}', ['unescaped-input 1:1']],
    ['the address', '{% print context.location.href %}', ['unescaped-input 1:1']],
    ['the name of the user', '{{ context.current_user.first_name | html_safe }}', ['unescaped-input 1:1']],
    [
      'what a query found',
      site(`{% graphql g = 'posts' %}{% for p in g.records.results %}{{ p.body | html_safe }}{% endfor %}`, DATA),
      ['unescaped-input 1:58'],
    ],
    [
      'properties of a record',
      site(`{% graphql g = 'posts' %}{% assign p = g.records.results | first %}{% print p.properties.title %}`, DATA),
      ['unescaped-input 1:68'],
    ],
    [
      'through the session',
      site(`{% session search = context.params.q %}`, {
        'app/views/pages/show.liquid': '{% print context.session.search %}',
      }),
      ['unescaped-input show.liquid 1:1'],
    ],
    [
      'through an export',
      site(`{% assign q = context.params.q %}{% export q, namespace: 'search' %}`, partial('x', ''), {
        'app/views/layouts/application.liquid': '{{ content_for_layout }}{% print context.exports.search.q %}',
      }),
      ['unescaped-input application.liquid 1:25'],
    ],
    [
      'through a partial',
      site(`{% render 'card', title: context.params.title %}`, partial('card', '<h1>{% print title %}</h1>')),
      ['unescaped-input card.liquid 1:5'],
    ],
    [
      'through two partials',
      site(
        `{% render 'a', post: context.params.post %}`,
        partial('a', `{% render 'b', text: post.text %}`),
        partial('b', '{{ text | html_safe }}'),
      ),
      ['unescaped-input b.liquid 1:1'],
    ],
    [
      'through all parameters, which only an included partial reads',
      site(`{% assign p = context.params %}{% include 'show' %}`, partial('show', '{% print p.q %}')),
      ['unescaped-input show.liquid 1:1'],
    ],
    [
      'an older name that only an included partial reads',
      site(`{% include 'show' %}`, partial('show', '{% print params.q %}')),
      ['unescaped-input show.liquid 1:1'],
    ],
    [
      'through two calls, to the page that prints the result',
      site(`{% function q = 'outer' %}{% print q %}`, {
        ...LIB('outer', `{% function q = 'inner' %}{% return q %}`),
        ...LIB('inner', '{% return context.params.q %}'),
      }),
      ['unescaped-input 1:27'],
    ],
    [
      'through an include',
      site(`{% assign t = context.params.q %}{% include 'show' %}`, partial('show', '{% print t %}')),
      ['unescaped-input show.liquid 1:1'],
    ],
    [
      'through a loop of partials',
      site(`{% assign l = context.params.tags %}{% render 'tag' for l as tag %}`, partial('tag', '{% print tag %}')),
      ['unescaped-input tag.liquid 1:1'],
    ],
    [
      'as the result of a function',
      site(
        `{% function t = 'f', q: context.params.q %}{% print t %}`,
        LIB('f', `{% assign r = q | strip %}{% return r %}`),
      ),
      ['unescaped-input 1:44'],
    ],
    [
      'in a hash of a function',
      site(
        `{% function r = 'f', q: context.params.q %}{% print r.title %}`,
        LIB('f', `{% assign r = { "title": q, "ok": true } %}{% return r %}`),
      ),
      ['unescaped-input 1:44'],
    ],
    [
      'that a function reads itself',
      site(`{% function t = 'f' %}{% print t %}`, LIB('f', `{% return context.params.q %}`)),
      ['unescaped-input 1:23'],
    ],
    [
      'what a form has',
      site(`{% include_form 'post_form' %}`, {
        'app/schema/post.yml': TABLE,
        'app/forms/post_form.liquid': `${FORM_SETTINGS}{% form %}{% print form.fields.properties.title.value %}{% endform %}`,
      }),
      ['unescaped-input post_form.liquid 8:11'],
    ],
    ['in a text of a script', `<script>var q = "{{ context.params.q }}"</script>`, ['unsafe-place 1:18']],
    ['as code of a script', `<script>go({{ context.params.q }})</script>`, ['unsafe-place 1:12']],
    ['JSON in a text of a script', `<script>var q = '{{ context.params.q | json }}'</script>`, ['unsafe-place 1:18']],
    ['in a template literal', '<script>var q = `a ${b} {{ context.params.q }}`</script>', ['unsafe-place 1:25']],
    ['in an event attribute', `<a onclick="go('{{ context.params.q }}')">x</a>`, ['unsafe-place 1:17']],
    [
      'escaped in an event attribute',
      `<a onclick="go('{{ context.params.q | escape }}')">x</a>`,
      ['unsafe-place 1:17'],
    ],
    ['as an address', `<a href="{{ context.params.url }}">x</a>`, ['unsafe-place 1:10']],
    ['as the source of a frame', `<iframe src='{{ context.params.url }}'></iframe>`, ['unsafe-place 1:14']],
    ['behind javascript:', `<a href="javascript:go('{{ context.params.q }}')">x</a>`, ['unsafe-place 1:25']],
    ['without quotes', '<input value={{ context.params.q }}>', ['unsafe-place 1:14']],
    ['as an attribute', '<input {{ context.params.q }}>', ['unsafe-place 1:8']],
    ['in a style', '<p style="color: {{ context.params.c }}">x</p>', ['unsafe-place 1:18']],
    ['in a style element', '<style>p { color: {{ context.params.c }} }</style>', ['unsafe-place 1:19']],
    ['printed into an attribute', `<input value="{% print context.params.q %}">`, ['unescaped-input 1:15']],
    [
      'without tags in an attribute',
      `<input value="{% print context.params.q | strip_html %}">`,
      ['unescaped-input 1:15'],
    ],
    [
      'in a script around a partial',
      site(`<script>var q = "{% render 'q', q: context.params.q %}"</script>`, partial('q', '{{ q }}')),
      ['unsafe-place q.liquid 1:1'],
    ],
    [
      'in a page of JavaScript',
      `---\nslug: code\nformat: js\n---\nvar q = "{{ context.params.q }}"`,
      ['unsafe-place 5:10'],
    ],
    ['in lines', '{% liquid\n  assign q = context.params.q\n  print q\n%}', ['unescaped-input 3:3']],
  ])('%s', (_name, files, expected) => expect(flows(files)).toEqual(expected))
})

describe('a flow that is right', () => {
  it.each<[string, Files | string]>([
    ['escaped by output', '<p>{{ context.params.q }}</p>'],
    ['escaped by echo', '<p>{% echo context.params.q %}</p>'],
    ['in quotes', '<input value="{{ context.params.q }}">'],
    ['escaped and printed', '{% print context.params.q | escape %}'],
    ['escaped and marked', '{{ context.params.q | escape | html_safe }}'],
    ['escaped for certain', '{% print context.params.q | raw_escape_string %}'],
    ['in a capture that is printed', '{% capture t %}<b>{{ context.params.q }}</b>{% endcapture %}{% print t %}'],
    [
      'in a capture whose entities stay',
      '{% capture t %}<b>{{ context.params.q }}</b>{% endcapture %}{{ t | html_safe: raw_text: true }}',
    ],
    ['sanitized', '{{ context.params.q | sanitize }}'],
    ['Markdown', '{{ context.params.q | markdown }}'],
    ['without tags', '<p>{% print context.params.q | strip_html %}</p>'],
    [
      'a number',
      '{% assign n = context.params.page | to_positive_integer: 1 %}{% print n %}<script>var n = {{ n }}</script>',
    ],
    ['a sum', '<script>var n = {{ context.params.page | plus: 0 }}</script>'],
    ['a size', '{% print context.params.q | size %}'],
    ['a date', `{% print context.params.day | date: '%Y' %}`],
    ['JSON in a script', '<script>var q = {{ context.params.q | json }}</script>'],
    ['JSON printed in a script', '<script>var q = {% print context.params.q | json %}</script>'],
    ['a hash as JSON in a script', '{% assign h = { "q": context.params.q } %}<script>var h = {{ h | json }}</script>'],
    ['JSON in a data script', '<script type="application/json">{{ context.params | json }}</script>'],
    ['JSON in an attribute', `<p data-x="{{ context.params | json }}">x</p>`],
    ['JSON in another one', `<p data-x='{{ context.params.q | json }}'>x</p>`],
    ['escaped in a text of a script', `<script>var q = "{{ context.params.q | escape_javascript }}"</script>`],
    ['escaped in an event', `<a onclick="go('{{ context.params.q | escape_javascript }}')">x</a>`],
    ['encoded in a URL', `<a href="/search?q={{ context.params.q | url_encode }}">x</a>`],
    ['within an address', `<a href="/posts/{{ context.params.id }}">x</a>`],
    [
      'an address that begins with a text',
      `{% assign url = '/posts/' | append: context.params.id %}<a href="{{ url }}">x</a>`,
    ],
    [
      'an address in a capture',
      `{% capture url %}/posts/{{ context.params.id }}{% endcapture %}<a href="{{ url }}">x</a>`,
    ],
    ['the picture of an address', '<img src="{{ context.params.url }}" width="1" height="1">'],
    ['compared before', `{% if context.params.sort == 'asc' %}{% print context.params.sort %}{% endif %}`],
    [
      'one of a list',
      `{% assign known = 'a,b' | split: ',' %}{% if known contains context.params.tab %}<style>.{{ context.params.tab }} {}</style>{% endif %}`,
    ],
    [
      'not one of a list',
      `{% assign q = context.params.q %}{% assign known = 'a,b' | split: ',' %}{% unless known contains q %}{% assign q = 'a' %}{% endunless %}{% print q %}`,
    ],
    [
      'one of several cases',
      `{% case context.params.tab %}{% when 'a', 'b' %}{% print context.params.tab %}{% else %}none{% endcase %}`,
    ],
    [
      'chosen by it',
      `{% if context.params.dark %}{% assign c = 'black' %}{% else %}{% assign c = 'white' %}{% endif %}<p style="color: {{ c }}">x</p>`,
    ],
    [
      'looked up by it',
      `{% assign colors = { "a": "red" } %}{% assign c = colors[context.params.c] %}<p style="color: {{ c }}">x</p>`,
    ],
    [
      'whose beginning was checked',
      `{% assign ok = context.params.url | start_with: '/' %}{% if ok %}<a href="{{ context.params.url }}">x</a>{% endif %}`,
    ],
    [
      'that fits a pattern',
      `{% assign c = context.params.c %}{% assign ok = c | matches: '^[a-z]+$' %}{% if ok %}<p style="color: {{ c }}">x</p>{% endif %}`,
    ],
    ['overwritten', `{% assign q = context.params.q %}{% assign q = 'x' %}{% print q %}`],
    ['another key of the hash', '{% assign h = { "q": context.params.q, "n": "x" } %}{% print h.n %}'],
    [
      'another key of JSON',
      `{% parse_json h %}{ "q": "{{ context.params.q }}", "n": "x" }{% endparse_json %}{% print h.n %}`,
    ],
    [
      'a partial that escapes',
      site(`{% render 'card', title: context.params.title %}`, partial('card', '<h1>{{ title }}</h1>')),
    ],
    [
      'a partial that is given a text',
      site(`{% render 'card', title: 'Hello <b>you</b>' %}`, partial('card', '<h1>{% print title %}</h1>')),
    ],
    [
      'a function that escapes',
      site(
        `{% function t = 'f', q: context.params.q %}{% print t %}`,
        LIB('f', `{% assign r = q | escape %}{% return r %}`),
      ),
    ],
    [
      'a function called with a text as well',
      site(
        `{% function a = 'f', q: context.params.q %}{{ a }}{% function b = 'f', q: 'x' %}{% print b %}`,
        LIB('f', `{% return q %}`),
      ),
    ],
    [
      'another field of a function',
      site(
        `{% function r = 'f', q: context.params.q %}{% print r.label %}{{ r.q }}`,
        LIB('f', `{% assign r = { "q": q, "label": "<b>x</b>" } %}{% return r %}`),
      ),
    ],
    ['a value that nobody knows', site(`{% print title %}<script>var x = "{{ other }}"</script>`)],
    [
      'an escaped query',
      site(
        `{% graphql g = 'posts' %}{% for p in g.records.results %}<h1>{{ p.title }}</h1>{{ p.body | sanitize }}{% endfor %}`,
        DATA,
      ),
    ],
    [
      'what the service writes',
      site(
        `{% graphql g = 'posts' %}{% for p in g.records.results %}<a href="{{ p.image.url }}" onclick="go('{{ p.id }}', {{ p.count }})">{% print p.created_at %}</a>{% endfor %}`,
        DATA,
      ),
    ],
    ['the id of the user', `<script>var user = "{{ context.current_user.id }}"</script>`],
    ['a page of JSON', json('{ "q": "{{ context.params.q }}", "p": {{ context.params | json }} }')],
    ['a page of text', `---\nslug: words\nformat: txt\n---\n{% print context.params.q %}`],
    [
      'a translation with a value',
      site(`{{ 'hello' | t: name: context.params.name }}`, {
        'app/translations/en.yml': 'en:\n  hello: "Hello <b>%{name}</b>"\n',
      }),
    ],
    ['a digest', '{% print context.params.q | digest %}'],
    [
      'in the session, escaped',
      site(`{% session search = context.params.q %}`, {
        'app/views/pages/show.liquid': '{{ context.session.search }}',
      }),
    ],
    [
      'the value of a field',
      site(`{% include_form 'post_form' %}`, {
        'app/schema/post.yml': TABLE,
        'app/forms/post_form.liquid': `${FORM_SETTINGS}{% form %}<input name="{{ form.fields.properties.title.name }}" value="{{ form.fields.properties.title.value }}">{% endform %}`,
      }),
    ],
    ['in a comment', `{% comment %}{% print context.params.q %}{% endcomment %}`],
    ['behind the end', `{% return %}{% print context.params.q %}`],
  ])('%s', (_name, files) => expect(flows(files)).toEqual([]))
})

describe('a secret', () => {
  const secrets = (files: Files | string) => problems(files).filter((each) => each.startsWith('shown-secret'))
  it.each<[string, Files | string, readonly string[]]>([
    ['printed', '{{ context.constants.PAYMENT_SECRET }}', ['shown-secret 1:1']],
    ['logged', `{% log context.constants.API_KEY, type: 'debug' %}`, ['shown-secret 1:1']],
    ['in a script', `<script>pay({{ context.constants.SECRET_KEY | json }})</script>`, ['shown-secret 1:13']],
    ['in a page of JSON', json('{ "key": "{{ context.constants.API_TOKEN }}" }'), ['shown-secret 5:11']],
    [
      'through a partial',
      site(`{% render 'p', key: context.constants.API_KEY %}`, partial('p', '{{ key }}')),
      ['shown-secret p.liquid 1:1'],
    ],
    ['the session', '{% log context.session.session_id %}', ['shown-secret 1:1']],
    ['a public key', '<script>pay("{{ context.constants.PUBLIC_KEY }}")</script>', []],
    ['an address', '{{ context.constants.HOST }}', []],
    ['a signature', `{{ 'x' | compute_hmac: context.constants.SECRET_KEY }}`, []],
    ['only tested', `{% if context.constants.SECRET_KEY == blank %}{% log 'missing' %}{% endif %}`, []],
  ])('%s', (_name, files, expected) => expect(secrets(files)).toEqual(expected))
})
