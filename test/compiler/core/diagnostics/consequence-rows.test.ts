/**
 * One error causes one message, without its consequences in other files or lines. Each row contains the parts of the site that it needs.
 * Diagnostics of the severity `info` are included.
 */
import { describe, expect, it } from 'vitest'
import { findingKey } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import { BOAT, BOATS, EDIT, EN, LIST, MENU, QUERY, RENAME } from '../../../support/compiler/boat-site.ts'
import { diagnosticsOf } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const TOLD = 'app/emails/told.liquid'
const PIER = 'app/views/pages/pier.liquid'

const page = (text: string): Files => ({ [PAGE]: `${text}\n${BOATS[PAGE]}` })
const list = (text: string): Files => ({ [LIST]: `${BOATS[LIST]}\n${text}` })
const within = (file: string, from: string, to: string): Files => ({ [file]: (BOATS[file] ?? '').replace(from, to) })

/** A menu whose condition checks the list of its loop. */
const ITEMS: Files = {
  [MENU]: '<nav>{% if items %}{% for item in items %}{{ item }}{% endfor %}{% endif %}</nav>',
  ...within(PAGE, "label: 'Home', wide: true", 'items: context.params.items'),
}

/** A page that sets a variable and then includes a partial that sets a variable with the same name. */
const INCLUDED: Files = {
  ...list("{% assign colour = 'blue' %}\n{% include 'paint' %}\n{{ colour }}"),
  'app/views/partials/paint.liquid': "{% assign colour = 'red' %}{{ colour }}",
}

type Row = readonly [what: string, site: Files, file: string, from: string, to: string, told: string]

const ROWS: readonly Row[] = [
  // Names.
  [
    'a variable of a partial that is set by another name before it is set again',
    {
      [MENU]: "{% assign label = 'Boats' %}<b>{{ label }}</b>{% assign label = 'Piers' %}<b>{{ label }}</b>",
      ...within(PAGE, ", label: 'Home', wide: true", ''),
    },
    MENU,
    'assign label',
    'assign lable',
    `unused-assign ${MENU} 1`,
  ],
  [
    'a variable that is set by another name before an include that sets it',
    INCLUDED,
    LIST,
    'assign colour',
    'assign coluor',
    `unused-assign ${LIST} 5`,
  ],
  [
    'a variable that is set in a block which holds another language',
    INCLUDED,
    LIST,
    "{% assign colour = 'blue' %}",
    "{% javascript %}\n{% assign colour = 'blue' %}\n{% endjavascript %}",
    `unknown-tag ${LIST} 5`,
  ],
  [
    'an argument by another name, where the partial has a variable that is spelled like it',
    ITEMS,
    PAGE,
    'items:',
    'itmes:',
    `unknown-inferred-argument ${PAGE} 10`,
  ],
  [
    'an argument with another sign, where the partial has a variable that is spelled like it',
    ITEMS,
    PAGE,
    'items:',
    'items =',
    `stray-markup ${PAGE} 10`,
  ],
  // Delimiters.
  [
    'an output without its end, before a filter on a line of its own',
    page("{% graphql h = 'boats' %}{{ h.boats.results\n| map: 'title' }} {{ 'boats'\n| upcase }}"),
    PAGE,
    "'title' }}",
    "'title'",
    `unclosed-delimiter ${PAGE} 1`,
  ],
  // Values.
  [
    'a list of which one element is meant, whose number is printed without quotes',
    page("{% graphql h = 'boats' %}{% assign one = h.boats.results | first %}<i id={{ one.berths }}></i>"),
    PAGE,
    ' | first',
    '',
    `list-as-object ${PAGE} 1`,
  ],
  // Settings and data.
  [
    'a key of two letters that a mail needs',
    {
      [TOLD]: "---\nname: told\nto: a@example.com\nfrom: b@example.com\nsubject: Told\nlayout: ''\n---\nTold",
      ...within(EDIT, 'fields:', 'email_notifications:\n  - told\nfields:'),
    },
    TOLD,
    'to:',
    'ot:',
    `missing-setting ${TOLD} 3`,
  ],
  [
    'a form whose fields have another key, where a step behind it reads one of them',
    within(EDIT, 'fields:', 'callback_actions: "{% log form.properties.title %}"\nfields:'),
    EDIT,
    'fields:',
    'feilds:',
    `unknown-setting ${EDIT} 5`,
  ],
  [
    'a key of a type, where a query counts with the property',
    within(RENAME, 'value_int: 3', 'increment: 3'),
    BOAT,
    'type: integer',
    'tpye: integer',
    `unknown-setting ${BOAT} 6`,
  ],
  [
    'a type that is none, where a query counts with the property',
    within(RENAME, 'value_int: 3', 'increment: 3'),
    BOAT,
    'type: integer',
    'type: intger',
    `setting-refused ${BOAT} 6`,
  ],
  [
    'a property by another name, by which a query sorts',
    within(QUERY, 'filter:', 'sort: [{ properties: { name: "berths", order: ASC } }], filter:'),
    QUERY,
    'name: "berths", order',
    'name: "breths", order',
    `unknown-table-property ${QUERY} 2`,
  ],
  [
    'a page under the address of another one, which names its parameter otherwise',
    { [PIER]: '---\nslug: piers/:pier_id\n---\n{{ context.params.pier_id }}' },
    PIER,
    'piers/:pier_id',
    'boats/:id',
    `duplicate-route ${PIER} 2`,
  ],
  // Translations.
  [
    'a new text of one language whose HTML has no end',
    {},
    EN,
    '    nights:',
    '    all_html: <b>All\n    nights:',
    `html-translation ${EN} 5`,
  ],
]

describe('what follows from a mistake is not told', () => {
  it.each(ROWS)('%s', (_what, more, file, from, to, expected) => {
    const site = { ...BOATS, ...more }
    const before = diagnosticsOf(site)
    expect(before.filter(({ severity }) => severity !== 'info')).toEqual([])
    const text = site[file] ?? ''
    expect(text).toContain(from)
    const files = { ...site, [file]: text.replace(from, to) }
    const remarks = new Set(before.map(findingKey))
    const told = diagnosticsOf(files).flatMap((each) => {
      const { code, span } = each
      const line = (files[span.file] ?? '').slice(0, span.start).split('\n').length
      return remarks.has(findingKey(each)) ? [] : [`${code} ${span.file} ${line}`]
    })
    expect(told).toEqual([expected])
  })

  it.each([
    ['a type by another key, which no query fails by', {}, 'warning'],
    [
      'a type by another key, where a query counts with the property',
      within(RENAME, 'value_int: 3', 'increment: 3'),
      'error',
    ],
  ])('and refuses a site where that does: %s', (_what, more, severity) => {
    const told = diagnosticsOf({ ...BOATS, ...more, ...within(BOAT, 'type: integer', 'tpye: integer') })
    const ofType = told.filter(({ code }) => code === 'unknown-setting' || code === 'property-value-type')
    expect(ofType.map((each) => `${each.severity} ${each.code}`)).toEqual([`${severity} unknown-setting`])
  })
})
