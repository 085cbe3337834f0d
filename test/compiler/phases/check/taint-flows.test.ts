/** More flows of untrusted text to places where it is dangerous, and safe flows that look similar. */
import { describe, expect, it } from 'vitest'
import { type Files, partial, problems, site } from '../../../support/compiler/check.ts'

const OURS: ReadonlySet<string> = new Set(['unescaped-input', 'unsafe-place'])

/** Returns the taint diagnostics, without those of other rules. */
function flows(files: Files | string): readonly string[] {
  return problems(files).filter((each) => OURS.has(each.slice(0, each.indexOf(' '))))
}

const POSTS: Files = {
  'app/schema/post.yml':
    'name: post\nproperties:\n  - name: title\n  - name: body\n    type: text\n  - name: count\n    type: integer\n  - name: tags\n    type: array\n',
  'app/graphql/posts.graphql':
    'query posts { records(per_page: 10, filter: { table: { value: "post" } }) { total_entries results { id created_at title: property(name: "title") body: property(name: "body") count: property_int(name: "count") tags: property_array(name: "tags") author: related_user { first_name id } } } }',
}
const ALL = `{% graphql g = 'posts' %}`

function lib(name: string, text: string): Files {
  return { [`app/lib/${name}.liquid`]: text }
}

function form(template: string): Files {
  return {
    ...POSTS,
    'app/forms/post.liquid': `---\nname: post\nresource: post\nfields:\n  properties:\n    title:\n    body:\n---\n{% form %}${template}{% endform %}`,
    'app/views/pages/index.liquid': `{% include_form 'post' %}`,
  }
}

describe('a tainted value is found', () => {
  it.each<[string, Files | string, string]>([
    [
      'Markdown marked behind it',
      '{% assign m = context.params.q | markdown %}{% print m | append: context.params.q %}',
      'unescaped-input 1:45',
    ],
    ['line breaks', '{% print context.params.q | newline_to_br %}', 'unescaped-input 1:1'],
    ['line breaks that are marked', '{{ context.params.q | newline_to_br | html_safe }}', 'unescaped-input 1:1'],
    [
      'the address of a refresh',
      '<meta http-equiv="refresh" content="0; url={{ context.params.next }}">',
      'unsafe-place 1:44',
    ],
    ['an action', '<form action="{{ context.params.next }}"></form>', 'unsafe-place 1:15'],
    ['the action of a button', '<button formaction="{{ context.params.next }}">x</button>', 'unsafe-place 1:21'],
    [
      'an address in a drawing',
      '<svg><a xlink:href="{{ context.params.next }}"><text>x</text></a></svg>',
      'unsafe-place 1:21',
    ],
    ['an object', '<object data="{{ context.params.next }}"></object>', 'unsafe-place 1:15'],
    ['an embedded file', '<embed src="{{ context.params.next }}">', 'unsafe-place 1:13'],
    ['the source of a script', '<script src="{{ context.params.next }}" defer></script>', 'unsafe-place 1:14'],
    ['the base of all addresses', '<base href="{{ context.params.next }}">', 'unsafe-place 1:13'],
    ['a page in a frame', '<iframe srcdoc="{{ context.params.q }}"></iframe>', 'unsafe-place 1:17'],
    ['the name of an element', '<{{ context.params.q }}>x</div>', 'unsafe-place 1:2'],
    ['the name of an attribute', '<p {{ context.params.q }}="a">x</p>', 'unsafe-place 1:4'],
    ['a style in quotes', "<p style='background: url({{ context.params.q }})'>x</p>", 'unsafe-place 1:27'],
    ['a handler of a form', '<form onsubmit="return {{ context.params.q }}"></form>', 'unsafe-place 1:24'],
    [
      'a number of a script that is text',
      '<script>var n = {{ context.params.n | default: 1 }}</script>',
      'unsafe-place 1:17',
    ],
    ['a comment of a script', '<script>/* {{ context.params.q }} */</script>', 'unsafe-place 1:12'],
    [
      'a text behind a joined one',
      `<script>var a = '{{ context.params.q | append: "x" }}'</script>`,
      'unsafe-place 1:18',
    ],
    [
      'a record in a script',
      site(`${ALL}{% for p in g.records.results %}<script>var t = "{{ p.title }}"</script>{% endfor %}`, POSTS),
      'unsafe-place 1:75',
    ],
    [
      'an element of a list of a record',
      site(`${ALL}{% for p in g.records.results %}{% for t in p.tags %}{% print t %}{% endfor %}{% endfor %}`, POSTS),
      'unescaped-input 1:79',
    ],
    [
      'the name of an author',
      site(`${ALL}{% assign p = g.records.results.first %}{% print p.author.first_name %}`, POSTS),
      'unescaped-input 1:66',
    ],
    [
      'a list that is mapped',
      site(`${ALL}{% assign all = g.records.results | map: 'body' | join: '<br>' %}{% print all %}`, POSTS),
      'unescaped-input 1:91',
    ],
    [
      'a list that is sorted and sliced',
      site(
        `${ALL}{% assign all = g.records.results | sort: 'title' | slice: 0, 2 %}{% for p in all %}{{ p.title | html_safe }}{% endfor %}`,
        POSTS,
      ),
      'unescaped-input 1:110',
    ],
    [
      'grouped records',
      site(
        `${ALL}{% assign all = g.records.results | array_group_by: 'title' %}{% for each in all %}{% print each[0] %}{% endfor %}`,
        POSTS,
      ),
      'unescaped-input 1:109',
    ],
    ['a value of a form', form('{{ form.properties.body | html_safe }}'), 'unescaped-input post.liquid 9:11'],
    [
      'a value of a form in a script',
      form('<script>var b = "{{ form.fields.properties.body.value }}"</script>'),
      'unsafe-place post.liquid 9:28',
    ],
    [
      'a partial of a partial',
      site(
        `{% render 'a', data: context.params %}`,
        partial('a', `{% assign inner = data.inner %}{% render 'b', x: inner %}`),
        partial('b', '{% print x.y %}'),
      ),
      'unescaped-input b.liquid 1:1',
    ],
    [
      'a function of a function',
      site(
        `{% function t = 'a', q: context.params.q %}{% print t %}`,
        lib('a', `{% function r = 'b', q: q %}{% return r %}`),
        lib('b', `{% assign u = q | strip %}{% return u %}`),
      ),
      'unescaped-input 1:44',
    ],
    [
      'a list that a function fills',
      site(
        `{% assign all = [] %}{% function _ = 'add', all: all, q: context.params.q %}{% for each in all %}{% print each %}{% endfor %}`,
        lib('add', `{% assign all << q %}{% return null %}`),
      ),
      'unescaped-input 1:98',
    ],
    ['a capture that prints', `{% capture t %}{% print context.params.q %}{% endcapture %}x`, 'unescaped-input 1:16'],
    [
      'a capture in a script',
      `{% capture t %}{{ context.params.q }}{% endcapture %}<script>var t = '{{ t }}'</script>`,
      'unsafe-place 1:71',
    ],
    [
      'a block of content',
      `{% content_for 'head' %}<script>var t = '{{ context.params.q }}'</script>{% endcontent_for %}{% yield 'head' %}`,
      'unsafe-place 1:42',
    ],
    ['a cache', `{% cache 'k' %}{% print context.params.q %}{% endcache %}`, 'unescaped-input 1:16'],
    [
      'JSON of a text',
      `{% assign h = '{"a":1}' | parse_json %}{% assign h['a'] = context.params.q %}{% print h.a %}`,
      'unescaped-input 1:78',
    ],
    [
      'a merged hash',
      `{% assign a = { "x": 1 } %}{% assign h = a | hash_merge: q: context.params.q %}{% print h.q %}`,
      'unescaped-input 1:80',
    ],
    [
      'a replaced part',
      `{% assign t = '<b>X</b>' | replace: 'X', context.params.q %}{% print t %}`,
      'unescaped-input 1:61',
    ],
    [
      'a translation',
      site(`{{ 'hello' | t: name: context.params.q | html_safe }}`, {
        'app/translations/en.yml': 'en:\n  hello: "Hello %{name}"\n',
        'app/config.yml': 'safe_translate: false\n',
      }),
      'unescaped-input 1:1',
    ],
    [
      'a ternary of two branches',
      `{% case context.params.a %}{% when '1' %}{% assign t = context.params.q %}{% else %}{% assign t = 'x' %}{% endcase %}{% print t %}`,
      'unescaped-input 1:118',
    ],
    ['a header in a script', '<script>var a = "{{ context.headers.HTTP_USER_AGENT }}"</script>', 'unsafe-place 1:18'],
  ])('%s', (_name, files, expected) => {
    expect(flows(files)).toEqual([expected])
  })
})

describe('what is printed where nothing was kept', () => {
  it.each<[string, Files | string, readonly string[]]>([
    ['as it came', `{% yield 'side', default: context.params.q %}`, ['unescaped-input 1:27']],
    [
      'in a partial',
      site(`{% render 'p', d: context.params.q %}`, partial('p', `{% yield 'side', default: d %}`)),
      ['unescaped-input p.liquid 1:27'],
    ],
    ['escaped', `{% assign d = context.params.q | escape %}{% yield 'side', default: d %}`, []],
    ['by the author', `{% yield 'side', default: 'No <b>news</b>' %}`, []],
  ])('%s', (_name, files, expected) => expect(flows(files)).toEqual(expected))
})

describe('a value that is compared with what the author wrote', () => {
  const Q = '{% assign q = context.params.q %}'
  const P = '{% print q %}'
  it.each<[string, string, boolean]>([
    ['is one of two', `${Q}{% if q == 'a' or q == 'b' %}${P}{% endif %}`, true],
    [
      'is one of three, below context',
      `{% if context.params.q == 'a' or context.params.q == 'b' or context.params.q == 'c' %}{% print context.params.q %}{% endif %}`,
      true,
    ],
    ['is one, or something else holds', `${Q}{% if q == 'a' or context.params.b %}${P}{% endif %}`, false],
    ['is in a list', `{% assign ok = 'a,b' | split: ',' %}${Q}{% if ok contains q %}${P}{% endif %}`, true],
    [
      'is in a list, or something else holds',
      `{% assign ok = 'a,b' | split: ',' %}${Q}{% if ok contains q or true %}${P}{% endif %}`,
      false,
    ],
    ['is in none', `{% assign ok = 'a,b' | split: ',' %}${Q}{% if ok contains q %}x{% else %}${P}{% endif %}`, false],
    ['is named by a case', `${Q}{% case q %}{% when 'a', 'b' %}${P}{% endcase %}`, true],
    ['is named by no case', `${Q}{% case q %}{% when 'a', 'b' %}x{% else %}${P}{% endcase %}`, false],
    ['is none of two', `${Q}{% if q != 'a' and q != 'b' %}${P}{% endif %}`, false],
    ['is not none of two', `${Q}{% if q != 'a' and q != 'b' %}x{% else %}${P}{% endif %}`, true],
    ['is one of two, not', `${Q}{% unless q == 'a' or q == 'b' %}${P}{% endunless %}`, false],
    ['is one of two, not not', `${Q}{% unless q == 'a' or q == 'b' %}x{% else %}${P}{% endunless %}`, true],
    ['is mended', `${Q}{% unless q == 'a' or q == 'b' %}{% assign q = 'a' %}{% endunless %}${P}`, true],
    ['is set again', `${Q}{% if q == 'a' or q == 'b' %}{% assign q = context.params.r %}${P}{% endif %}`, false],
    ['is known by a variable', `${Q}{% assign fine = q == 'a' or q == 'b' %}{% if fine %}${P}{% endif %}`, true],
    ['is compared with what came', `${Q}{% if q == context.params.r or q == 'b' %}${P}{% endif %}`, false],
  ])('%s', (_name, text, isFine) => expect(flows(text).length === 0).toBe(isFine))
})

describe('what is right is not told', () => {
  it.each<[string, Files | string]>([
    ['escaped line breaks', '{{ context.params.q | newline_to_br }}'],
    ['escaped before its line breaks', '{% print context.params.q | escape | newline_to_br %}'],
    ['Markdown that is printed', '{% print context.params.q | markdown %}'],
    ['a refresh to a path', '<meta http-equiv="refresh" content="0; url=/posts/{{ context.params.id }}">'],
    ['a refresh after some seconds', '<meta http-equiv="refresh" content="{{ context.params.s | plus: 0 }}">'],
    ['a description', '<meta name="description" content="{{ context.params.q }}">'],
    ['an action with a path', '<form action="/search/{{ context.params.id | url_encode }}"></form>'],
    ['a button with a value', '<button value="{{ context.params.q }}">x</button>'],
    ['a name of a class', '<p class="kind-{{ context.params.q }}">x</p>'],
    ['a style of a number', '<p style="width: {{ context.params.w | plus: 0 }}px">x</p>'],
    ['a title', '<title>{{ context.params.q }}</title>'],
    ['a text area', '<textarea>{{ context.params.q }}</textarea>'],
    ['a number in a script', '<script>var n = {{ context.params.n | plus: 1 }}</script>'],
    [
      'a truth in a script',
      `{% assign is_new = false %}{% if context.params.a %}{% assign is_new = true %}{% endif %}<script>var n = {{ is_new }}</script>`,
    ],
    ['JSON of a record in a script', site(`${ALL}<script>var g = {{ g.records.results | json }}</script>`, POSTS)],
    ['JSON in a handler', `<a onclick="go({{ context.params.q | json }})">x</a>`],
    [
      'an integer of a record',
      site(`${ALL}{% for p in g.records.results %}<script>var n = {{ p.count }}</script>{% endfor %}`, POSTS),
    ],
    [
      'an id of a record',
      site(`${ALL}{% for p in g.records.results %}<p id="post-{{ p.id }}">{{ p.title }}</p>{% endfor %}`, POSTS),
    ],
    [
      'a date of a record',
      site(`${ALL}{% for p in g.records.results %}{% print p.created_at | date: '%Y' %}{% endfor %}`, POSTS),
    ],
    ['a count of records', site(`${ALL}{% print g.records.total_entries %}`, POSTS)],
    ['the size of a list', site(`${ALL}<script>var n = {{ g.records.results | size }}</script>`, POSTS)],
    ['a value of a form in quotes', form('<input value="{{ form.fields.properties.title.value }}">')],
    [
      'a field name',
      form(
        '<input name="{{ form.fields.properties.title.name }}"><label for="{{ form.fields.properties.title.html-id }}">x</label>',
      ),
    ],
    [
      'a partial that is handed an escaped text',
      site(`{% assign t = context.params.q | escape %}{% render 'a', t: t %}`, partial('a', '{% print t %}')),
    ],
    [
      'a function that gives a number',
      site(
        `{% function n = 'n', q: context.params.q %}<script>var n = {{ n }}</script>`,
        lib('n', '{% assign n = q | plus: 0 %}{% return n %}'),
      ),
    ],
    [
      'a function that asks for it',
      site(
        `{% function n = 'n', q: context.params.q %}{% print n %}`,
        lib('n', `{% if q == 'a' %}{% return '<b>a</b>' %}{% endif %}{% return '' %}`),
      ),
    ],
    [
      'a list that is filled with texts',
      `{% assign all = [] %}{% assign all << '<b>' %}{% for each in all %}{% print each %}{% endfor %}{{ context.params.q }}`,
    ],
    [
      'a capture in a script of numbers',
      `{% capture n %}{{ context.params.n | plus: 0 }}{% endcapture %}<script>var n = {{ n }}</script>`,
    ],
    ['a capture without it', `{% capture t %}<b>x</b>{% endcapture %}{% print t %}{{ context.params.q }}`],
    [
      'a block of content',
      `{% content_for 'head' %}<title>{{ context.params.q }}</title>{% endcontent_for %}{% yield 'head' %}`,
    ],
    ['encoded and decoded otherwise', `{% print context.params.q | base64_encode %}`],
    ['a hash of another key', `{% assign h = { "a": "x" } %}{% assign h['b'] = context.params.q %}{% print h.a %}`],
    ['a replaced value', `{% assign t = context.params.q | escape | replace: 'x', '<br>' %}{% print t %}`],
    [
      'a translation',
      site(`{{ 'hello_html' | t: name: 'Ada' }}{{ context.params.q }}`, {
        'app/translations/en.yml': 'en:\n  hello_html: "Hello <b>%{name}</b>"\n',
      }),
    ],
    ['compared in a case', `{% case context.params.q %}{% when 'a' %}{% print context.params.q %}{% endcase %}`],
    ['an address whose beginning is the site', `<a href="https://example.com/{{ context.params.q }}">x</a>`],
    ['a mail to somebody', `<a href="mailto:{{ context.params.mail }}">x</a>`],
    ['a fragment', `<a href="#{{ context.params.q }}">x</a>`],
    [
      'a query in an address',
      `<a href="?q={{ context.params.q | url_encode }}&p={{ context.params.p | url_encode }}">x</a>`,
    ],
    ['a script without it', `<script>var a = 1</script>{{ context.params.q }}`],
  ])('%s', (_name, files) => {
    expect(flows(files)).toEqual([])
  })
})

describe('groups of rows keep what each row has', () => {
  const FILES: Files = {
    'app/schema/ticket.yml':
      'name: ticket\nproperties:\n  - name: kind\n  - name: site\n  - { name: pdf, type: upload }\n',
    'app/graphql/tickets.graphql':
      'query { records(per_page: 9, filter: { table: { value: "ticket" } }) { results { id kind: property(name: "kind") site: property(name: "site") pdf: property_upload(name: "pdf") { url } } } }',
  }
  const rows = "{% graphql g = 'tickets' %}{% assign rows = g.records.results %}"
  const pairs = `${rows}{% assign kinds = rows | array_group_by: 'kind' %}{% for pair in kinds %}{% for t in pair[1] %}`

  it.each<[string, string]>([
    ['a pair', `${pairs}<a href="{{ t.FIELD }}">x</a>{% endfor %}{% endfor %}`],
    [
      'groups of a group',
      `${pairs}{% endfor %}{% assign inner = pair[1] | array_group_by: 'site' %}{% for p in inner %}{% for t in p[1] %}<a href="{{ t.FIELD }}">x</a>{% endfor %}{% endfor %}{% endfor %}`,
    ],
    [
      'a looked up group',
      `${rows}{% assign kinds = rows | array_group_by: 'kind' %}{% for t in kinds['a'] %}<a href="{{ t.FIELD }}">x</a>{% endfor %}`,
    ],
    [
      'groups of a size',
      `${rows}{% assign threes = rows | array_in_groups_of: 3 %}{% for three in threes %}{% for t in three %}<a href="{{ t.FIELD }}">x</a>{% endfor %}{% endfor %}`,
    ],
  ])('%s', (_, page) => {
    expect(flows(site(page.replace('FIELD', 'pdf.url'), FILES))).toEqual([])
    expect(flows(site(page.replace('FIELD', 'site'), FILES))).toEqual([expect.stringContaining('unsafe-place')])
  })
})
