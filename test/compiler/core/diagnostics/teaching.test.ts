/** Hints for users of other languages. Each mistake causes one message at its cause, with the exact change. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: markup of other languages
import { describe, expect, it } from 'vitest'
import { checkFiles, type Files } from '../../../support/compiler/check.ts'
import { measureCost } from '../../../support/cost.ts'

const PAGE = 'app/views/pages/index.liquid'

const SITE: Files = {
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: name\n  - name: price\n    type: integer\n',
  'app/graphql/dish.graphql':
    'query dish($id: ID!) {\n  dishes: records(per_page: 1, filter: { table: { value: "dish" }, id: { value: $id } }) {\n    results { price: property_int(name: "price") }\n  }\n}\n',
  'app/views/partials/card.liquid': '{% doc %}\n  @param {string} title\n{% enddoc %}<b>{{ title }}</b>',
}

/** Returns the severity, message and hint of each diagnostic, with the diagnostics of the page first. */
function check(files: Files): readonly string[] {
  return checkFiles(files).diagnostics.map(({ severity, message, hint = '' }) =>
    `${severity}: ${message} ${hint}`.trim(),
  )
}

/** Returns the hints for a page that assigns `context.params` to `p`. */
function hints(markup: string): readonly string[] {
  const { diagnostics } = checkFiles({ ...SITE, [PAGE]: `{% assign p = context.params %}${markup}{{ p.last }}` })
  return diagnostics.filter(({ severity }) => severity !== 'info').map(({ hint = '' }) => hint)
}

it.each([
  ['in a text', 'a <%= name %> b', ['foreign-markup']],
  ['in an element of code', '<p>a</p><code><%= name %></code>', []],
  ['in a code span of Markdown', 'as `<%=` and `%>)`', []],
  ['in a block of Markdown', '```\n---\nslug: <%= &root %>\n---\n```', []],
  ['behind a code span', '`a` <%= name %>', ['foreign-markup']],
])('markup of other languages %s', (_name, page, expected) => {
  expect(checkFiles(page).diagnostics.map(({ code }) => code)).toEqual(expected)
})

describe('markup in the ways of other languages', () => {
  it.each([
    ['{{ p.a + 1 }}', '{{ p.a | plus: 1 }}'],
    ['{{ p.a + p.b * 2 }}', '{{ p.a | plus: p.b | times: 2 }}'],
    [`{{ "a" + p.a }}`, `{{ "a" | append: p.a }}`],
    [`{{ p.a ? p.b : "none" }}`, `{% if p.a %}{{ p.b }}{% else %}{{ "none" }}{% endif %}`],
    [`{{ p.a || "none" }}`, `{{ p.a | default: "none" }}`],
    [`{{ p.a ?? "none" }}`, `{{ p.a | default: "none" }}`],
    ['{{ p.a || upcase }}', '{{ p.a | upcase }}'],
    ['{{ p->a }}', '{{ p.a }}'],
    ['{{ $p.a }}', '{{ p.a }}'],
    ['{{ p.a.toUpperCase() }}', '{{ p.a | upcase }}'],
    [`{{ p.a.split(',') }}`, `{{ p.a | split: ',' }}`],
    [`{{ p['a' }}`, `{{ p['a'] }}`],
    ['{{{ p.a }}}', '{{ p.a }}'],
    ['{{ p.a upcase }}', '{{ p.a | upcase }}'],
    ['{{ upcase p.a }}', '{{ p.a | upcase }}'],
    ['{{ upcase(p.a) }}', '{{ p.a | upcase }}'],
    ['{{ p.a | upcase() }}', '{{ p.a | upcase }}'],
    ['{{ p.a | truncate(10) }}', '{{ p.a | truncate: 10 }}'],
    ['{{ p.a | truncate 10 }}', '{{ p.a | truncate: 10 }}'],
    [`{{ p.a | replace: "a" "b" }}`, `{{ p.a | replace: "a", "b" }}`],
    [`{{ p.a | default: 'it's' }}`, `{{ p.a | default: "it's" }}`],
    ['{{ p.a | append: “ €” }}', '{{ p.a | append: " €" }}'],
    ['{{ p.a |  }}', '{{ p.a }}'],
    ['{%- echo p.a upcase -%}', '{%- echo p.a | upcase -%}'],
    ['{% p.a %}', '{{ p.a }}'],
    ['{% set p.b = 1 %}', '{% assign p.b = 1 %}'],
    ['{% assign p.b == 1 %}', '{% assign p.b = 1 %}'],
    ['{% assign p.b: 1 %}', '{% assign p.b = 1 %}'],
    ['{% assign p.b 1 %}', '{% assign p.b = 1 %}'],
    ['{% assign p.b += 1 %}', '{% assign p.b = p.b | plus: 1 %}'],
    ['{% assign p.b = p.a + 1 %}', '{% assign p.b = p.a | plus: 1 %}'],
    ['{% assign p.b = [1, 2, %}', '{% assign p.b = [1, 2] %}'],
    [`{% assign p.b = { 'c': 'd' } %}`, '{% assign p.b = { "c": "d" } %}'],
    ['{% assign p.b = { "c" = "d" } %}', '{% assign p.b = { "c": "d" } %}'],
    ['{% assign p.b = {\n  "c": p.c\n  "d": p.d\n} %}', '{% assign p.b = { "c": p.c, "d": p.d } %}'],
    [`{% assign p.b.push('x') %}`, `{% assign p.b << 'x' %}`],
    ['{% // a note %}', '{% # a note %}'],
    [`{% render card, title: p.a %}`, null],
    [`{% render 'card', title = p.a %}`, `{% render 'card', title: p.a %}`],
    [`{% render 'card', { title: p.a } %}`, `{% render 'card', title: p.a %}`],
    [`{% render('card', title: p.a) %}`, `{% render 'card', title: p.a %}`],
    [`{% import 'card', title: p.a %}`, `{% render 'card', title: p.a %}`],
    [`{% graphql 'dish', id: p.a %}`, `{% graphql result = 'dish', id: p.a %}`],
    [`{% graphql p.g = 'dish', id = p.a %}`, null],
    ['{% response_status = 404 %}', '{% response_status 404 %}'],
    ['{% case p.a %}{% when 1 and 2 %}x{% endcase %}', '{% when 1, 2 %}'],
  ])('%s', (markup, mend) => {
    const found = hints(markup)
    if (mend !== null) expect(found).toEqual([`Write \`${mend}\`.`])
    // If there are two possible meanings, no change is suggested, but the error is reported.
    else expect(found).not.toEqual([])
  })

  it.each([
    ['p.a = p.b', 'p.a == p.b'],
    ['p.a === p.b', 'p.a == p.b'],
    ['p.a !== p.b', 'p.a != p.b'],
    ['p.a equals "x"', 'p.a == "x"'],
    ['p.a is not "x"', 'p.a != "x"'],
    ['p.a in p.b', 'p.b contains p.a'],
    ['p.a > 5 and < 10', 'p.a > 5 and p.a < 10'],
    ['p.a.size() > 0', 'p.a.size > 0'],
    ['p.a then', 'p.a'],
    ['(p.a)', 'p.a'],
    ['p.a && !p.b', 'p.a and p.b == false'],
  ])('{%% if %s %%}', (condition, mend) => {
    expect(hints(`{% if ${condition} %}x{% endif %}`)).toEqual([`Write \`{% if ${mend} %}\`.`])
    expect(hints(`{% if p.z %}{% elsif ${condition} %}x{% endif %}`)).toEqual([`Write \`{% elsif ${mend} %}\`.`])
  })

  it.each([
    ['{% if !p.a %}x{% endif %}', '{% unless p.a %}'],
    ['{% if not p.a %}x{% endif %}', '{% unless p.a %}'],
    ['{% if p.a | size > 3 %}x{% endif %}', '{% assign size = p.a | size %}{% if size > 3 %}'],
    ['{% for i of p.a %}{{ i }}{% endfor %}', '{% for i in p.a %}'],
    ['{% for (i of p.a) %}{{ i }}{% endfor %}', '{% for i in p.a %}'],
    ['{% for i, at in p.a %}{{ i }}{% endfor %}', '{% for i in p.a %}'],
    ['{% for p.a as i %}{{ i }}{% endfor %}', '{% for i in p.a %}'],
    ['{% for i in {{ p.a }} %}{{ i }}{% endfor %}', '{% for i in p.a %}'],
    ['{% for i in p.a limit=3 %}{{ i }}{% endfor %}', '{% for i in p.a limit: 3 %}'],
    ['{% for i in p.a | sort %}{{ i }}{% endfor %}', '{% assign sorted = p.a | sort %}{% for i in sorted %}'],
    ['{{ for i in p.a }}{{ i }}{% else %}none{% endfor %}', '{% for i in p.a %}'],
  ])('%s', (markup, mend) => expect(hints(markup)).toEqual([`Write \`${mend}\`.`]))

  it('is mended in the lines of a liquid tag as it stands there', () => {
    expect(hints('{% liquid\n  p.b = 1\n  echo p.a upcase\n%}')).toEqual([
      'Write `assign p.b = 1`.',
      'Write `echo p.a | upcase`.',
    ])
  })

  it('is shown where it changes when it is long', () => {
    const long = Array.from({ length: 12 }, (_, at) => `"key_${at}": p.value_${at}`)
    const broken = `{% assign p.b = { ${long.join(', ').replace('value_5,', 'value_5\n')} } %}`
    const [hint = ''] = hints(broken)
    expect(hint).toMatch(/^Write `….*p\.value_5, "key_6".*…`\.$/)
    expect(hint.length).toBeLessThan(140)
  })

  it('is answered at once, however hostile', () => {
    const pieces = ['a.', "'a'b", '| f(', 'a + ', '(', '[', 'a ? a : ', 'not ', 'a[', '“', '{{ ', 'a == ', '-']
    for (const piece of pieces) {
      const cost = measureCost()
      checkFiles(`{{ ${piece.repeat(700 / piece.length)} ! }}{% if ${piece.repeat(700 / piece.length)} ~ %}`)
      expect(cost(), piece).toBeLessThan(3_000)
    }
  })
})

describe('a delimiter that is missing', () => {
  it.each([
    ['{{ p.a }</b><i>{{ p.b }}</i>', '{{ p.a }', '`}}` instead of `}`'],
    ['{{ p.a %}</b><i>{{ p.b }}</i>', '{{ p.a %}', '`}}` instead of `%}`'],
    ['{% if p.a }}<i>{{ p.b }}</i>{% else %}x{% endif %}', '{% if p.a }}', '`%}` instead of `}}`'],
    ['{%if p.a}\n<i>{{ p.b }}</i>{% else %}x{% endif %}', '{%if p.a}', '`%}` instead of `}`'],
    ['{% for i in p.a %\n  {% render "card", title: i %}{% endfor %}', '{% for i in p.a %', '`%}` instead of `%`'],
  ])('%s', (markup, place, fix) => {
    const text = `{% assign p = context.params %}${markup}{{ p.last }}`
    const { diagnostics } = checkFiles({ ...SITE, [PAGE]: text })
    expect(diagnostics.map(({ code, hint, span }) => [code, hint, text.slice(span.start, span.end)])).toEqual([
      ['unclosed-delimiter', `Write ${fix}.`, place],
    ])
  })

  it('does not hide what is wrong behind it', () => {
    expect(check({ [PAGE]: '{{ context.params.a }<i>{{ context.params.b upcase }}</i>' })).toEqual([
      'error: This `{{` is never closed. Write `}}` instead of `}`.',
      'error: `upcase` follows a value that is already complete. Write `{{ context.params.b | upcase }}`.',
    ])
  })
})

describe('text that was meant as markup', () => {
  it.each([
    ['<p><%= p.a %></p>', '{{ p.a }}'],
    ['<p>${p.a}</p>', '{{ p.a }}'],
    ['<p>#{p.a}</p>', '{{ p.a }}'],
    ['<p>{ p.a }}</p>', '{{ p.a }}'],
    ['{# a note #}', '{% # a note %}'],
    [`% render 'card', title: p.a %}`, `{% render 'card', title: p.a %}`],
    ['<% for i in p.a %>{% else %}x{% endfor %}', '{% for i in p.a %}'],
  ])('%s', (markup, mend) => expect(hints(markup)).toEqual([`Write \`${mend}\`.`]))

  it.each([
    '<script>const a = `${p.a}`; if (a) { p.a }}</script>',
    '<pre><%= p.a %></pre><!-- {# note #} -->',
    '<p>${unknown.price} #{1} {a: {b: 1}} 50 % of all %} x</p>',
    '{% raw %}<%= p.a %>{% endraw %}',
  ])('%s is left alone', (markup) => expect(hints(markup)).toEqual([]))
})

describe('YAML that cannot be read', () => {
  const page = (yaml: string) => check({ [PAGE]: `---\n${yaml}\n---\nx` })
  it.each([
    [
      'slug: a\nmetadata:\n  title: Soup: the best',
      `a text that contains \`: \` needs quotes. Write \`title: 'Soup: the best'\`.`,
    ],
    [
      'slug: a\n  layout: b',
      'the indentation does not match the lines around it. Write this line without indentation.',
    ],
    ['slug: "a', 'the quote " is never closed. Write `slug: "a"`.'],
    ['slug: a\nmetadata:\n  title:x\n  b: c', 'a colon and a space are missing after the key. Write `title: x`.'],
    ['slug: a\nmetadata:\n  b: [c', 'a bracket is never closed. Write `b: [c]`.'],
    ['slug: a\nmetadata:\n  title: %x', `a text that begins with this character needs quotes. Write \`title: '%x'\`.`],
    ['slug: a\nmetadata:\n\ttitle: x', 'a tab cannot indent a line; use spaces. Write two spaces for each tab.'],
  ])('%j', (yaml, words) => expect(page(yaml)).toEqual([`error: This YAML has a syntax error: ${words}`]))

  it('of a table says how an entry is written', () => {
    const table = (text: string) => check({ [PAGE]: 'x', 'app/schema/dish.yml': text })
    expect(table('properties:\n  - name: b\n  -name: a\n')).toEqual([
      'error: This YAML has a syntax error: a space is missing after the dash. Write `- name: a`.',
    ])
    expect(table('properties:\n  - price\n    type: integer\n')).toEqual([
      'error: This YAML has a syntax error: this entry has more keys, so its first value needs a key too. Write `- name: price`.',
    ])
  })

  it('of translations is told once, and not for each of their keys', () => {
    const files = {
      [PAGE]: `{{ 'a.b' | t }}{{ 'a.c' | t }}`,
      'app/translations/en.yml': 'en:\n  a:\n    b: x: y\n    c: z\n',
    }
    expect(check(files)).toEqual([
      `error: This YAML has a syntax error: a text that contains \`: \` needs quotes. Write \`b: 'x: y'\`.`,
    ])
  })
})

describe('settings', () => {
  const query = `{% graphql g = 'dish', id: '1' %}{{ g.dishes }}`
  it('keep what stands beside a key that nobody knows', () => {
    const table = 'name: dish\nproperties:\n  - name: name\n    required: true\n  - name: price\n    typ: integer\n'
    expect(
      check({ ...SITE, [PAGE]: query, 'app/schema/dish.yml': table }).filter((each) => !each.startsWith('info')),
    ).toEqual([
      'warning: A table has no setting `properties.0.required`. The settings are `name`, `type`, `default_value`, `belongs_to`, `options`, `versions_configuration` and `metadata`.',
      'warning: A table has no setting `properties.1.typ`. Did you mean `type`?',
    ])
  })

  it('name a property by the key that was meant', () => {
    const table = 'name: dish\nproperties:\n  - name: name\n  - nmae: price\n'
    expect(
      check({ ...SITE, [PAGE]: query, 'app/schema/dish.yml': table }).filter((each) => !each.startsWith('info')),
    ).toEqual(['error: A property needs the setting `name`, but this is `nmae`. Did you mean `name`?'])
  })

  it.each([
    ['content_type: json', 'Did you mean `format`?'],
    ['format: htm', 'Did you mean `html`?'],
    ['slug: dishes/{id}', 'Write `slug: dishes/:id`.'],
    ['slug: dishes/<id>/[name]', 'Write `slug: dishes/:id/:name`.'],
    ['slug = dishes', 'Write `slug: dishes`.'],
    ['layout: application.liquid', 'Did you mean `application`?'],
  ])('%s', (yaml, hint) => {
    const files = { [PAGE]: `---\n${yaml}\n---\nx`, 'app/views/layouts/application.liquid': '{{ content_for_layout }}' }
    expect(checkFiles(files).diagnostics.map((each) => each.hint)).toEqual([hint])
  })

  it('of calls and mails are looked at before they fail', () => {
    const api = `---\nto: https://a.example\nrequest_headers: '{ Accept: text/plain }'\n---\n`
    const mail = '---\nto: a@b.example\nfrom: shop\n---\nx'
    expect(check({ [PAGE]: 'x', 'app/api_calls/a.liquid': api, 'app/emails/a.liquid': mail })).toEqual([
      expect.stringMatching(/^warning: The setting `request_headers` takes .* Put names and values in double quotes/),
      expect.stringMatching(/^warning: The setting `from` takes an email address such as/),
    ])
    for (const right of [`'{ "Accept": "text/plain" }'`, '{ Accept: text/plain }', `'{{ data.headers }}'`])
      expect(
        check({
          [PAGE]: 'x',
          'app/api_calls/a.liquid': `---\nto: https://a.example\nrequest_headers: ${right}\n---\n`,
        }),
      ).toEqual([])
  })
})

describe('a query', () => {
  const queried = (from: string, to: string) => {
    const text = SITE['app/graphql/dish.graphql'] ?? ''
    expect(text).toContain(from)
    const files = {
      ...SITE,
      [PAGE]: `{% graphql g = 'dish', id: '1' %}{{ g.dishes }}`,
      'app/graphql/dish.graphql': text.replace(from, () => to),
    }
    return checkFiles(files)
      .diagnostics.filter(({ severity }) => severity !== 'info')
      .map(({ hint = '' }) => hint)
  }
  it.each([
    ['price: property_int(name: "price")', 'price', 'Write `price: property_int(name: "price")`.'],
    ['price: property_int(name: "price")', 'price: property_int', 'Write `property_int(name: "price")`.'],
    ['name: "price"', `name: 'price'`, 'Write `"price"`.'],
    ['name: "price"', '"price"', 'Write `name: "price"`.'],
    ['{ value: "dish" }', '"dish"', 'Write `{ value: "dish" }`.'],
    ['{ value: "dish" }', '{ eq: "dish" }', 'Did you mean `value`?'],
    ['per_page: 1', 'limit: 1', 'Did you mean `per_page`?'],
    ['per_page: 1', 'per_page: "1"', 'Write `1`, without quotes.'],
    ['filter:', 'where:', 'Did you mean `filter`?'],
    ['query dish', 'mutation dish', '`records` reads: write `query` instead of `mutation`.'],
    ['query dish', 'qeury dish', 'Did you mean `query`?'],
    ['{ value: $id }', '{ value: id }', 'Write `$id`.'],
    ['{ value: $id }', '$id', 'Write `{ value: $id }` where it is used.'],
    ['{ value: $id }', '{ value: {{ id }} }', /^A query file contains no Liquid/],
    ['$id: ID!', 'id: ID!', 'Write `$id`.'],
    ['($id: ID!)', '', /^Declare it/],
  ])('with %s as %s', (from, to, hint) => {
    expect(queried(from, to)).toEqual([typeof hint === 'string' ? hint : expect.stringMatching(hint)])
  })
})

describe('names', () => {
  it('that stand for texts are told the quotes', () => {
    const files = {
      'app/assets/site.css': '',
      'app/translations/en.yml': 'en:\n  home:\n    title: x\n',
      [PAGE]: '{{ site.css | asset_url }}{{ home.title | t }}{{ context.params.a | map: name }}',
    }
    expect(checkFiles(files).diagnostics.map(({ hint }) => hint)).toEqual([
      "Write `'site.css'`.",
      "Write `'home.title'`.",
      "Write `'name'`.",
    ])
  })

  it('of translations pair what is missing with what nothing takes', () => {
    const site = (text: string) =>
      check({ [PAGE]: `{{ 'a' | t: price: 1 }}`, 'app/translations/en.yml': `en:\n  a: '${text}'\n` })
    expect(site('%{prise} €')).toEqual([
      'warning: The translation `a` needs `prise`, but this is `price`. Write `prise: …`, or change the text to `%{price}`.',
    ])
    expect(site('{{price}} €')).toEqual([
      'warning: The translation `a` has no placeholder `price`. Write `%{price}` instead of `{{price}}` in the text.',
    ])
  })

  it('of a partial pair a parameter that nothing reads with a name that nothing declares', () => {
    const files = {
      [PAGE]: `{% render 'card', titel: 'x' %}`,
      'app/views/partials/card.liquid': '{% doc %}\n  @param {string} titel\n{% enddoc %}{{ title }}',
    }
    expect(check(files)).toEqual([
      'warning: The partial reads `title`, but its `doc` block does not declare it. Did you mean `titel`? Otherwise, add `@param title`.',
    ])
  })

  it('of files may be written with folder and ending', () => {
    for (const name of ['card.liquid', 'app/views/partials/card', 'partials/card'])
      expect(hints(`{% render '${name}', title: 'x' %}`)).toEqual(['Did you mean `card`?'])
  })

  it('of what is called elsewhere are found by their meaning', () => {
    expect(hints('{{ p.a | lowercase }}{{ p.a | max: 1 }}{{ p.a | tojson }}')).toEqual([
      'Did you mean `downcase`?',
      'Did you mean `at_least`?',
      'Did you mean `json`?',
    ])
  })
})

describe('arguments of filters', () => {
  it.each([
    [
      `{{ 'now' | date: 'YYYY-MM-DD' }}`,
      `warning: The date format \`YYYY-MM-DD\` has no \`%\` directives, so it is printed unchanged. Write \`'%Y-%m-%d'\`.`,
    ],
    [`{{ 'now' | date: 'dd.mm.yyyy HH:mm' }}`, /Write `'%d\.%M\.%Y %H:%M'`\.$/],
    [
      `{{ context.params.a | plus: 'one' }}`,
      'warning: The filter `plus` needs a number as its argument, but this is text "one".',
    ],
  ])('%s', (page, words) =>
    expect(check({ [PAGE]: page })).toEqual([typeof words === 'string' ? words : expect.stringMatching(words)]),
  )

  it.each([`{{ 'now' | date: '%Y' }}{{ 'now' | date: 'short' }}{{ 'now' | l: 'day' }}{{ '2' | plus: '1' }}`])(
    '%s',
    (page) => expect(check({ [PAGE]: page })).toEqual([]),
  )
})

describe('what follows from something else', () => {
  it('is one message for a partial that returns nothing, however often it is called', () => {
    const call = `{% function a = 'none' %}{{ a }}`
    const files: Record<string, string> = { 'app/views/partials/none.liquid': 'x' }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) files[`app/views/pages/${name}.liquid`] = call
    const { diagnostics } = checkFiles(files)
    expect(diagnostics.map(({ code, related }) => [code, related.map(({ message }) => message)])).toEqual([
      ['function-without-return', ['the same here', 'the same here', 'the same here, and in 2 more places']],
    ])
  })

  it('is left out where braces in texts are off by a slip', () => {
    const page = '{% assign a = "x {{ context.params.a }}" %}{{ a }}'
    expect(check({ [PAGE]: page, 'app/config.yml': 'string_interpolation: yes please\n' })).toEqual([
      'warning: The setting `string_interpolation` takes `true` or `false`, but this is `yes please`.',
    ])
  })

  it('never leaves a site without any error that had one', () => {
    const table = 'name: dish\nproperties:\n  - name: model_name\n'
    const found = checkFiles({
      ...SITE,
      [PAGE]: `{% graphql g = 'dish', id: '1' %}{{ g.dishes }}`,
      'app/schema/dish.yml': table,
    }).diagnostics
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toContain('error setting-refused')
  })
})
