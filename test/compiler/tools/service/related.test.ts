/** Diagnostics of calls lead to the place in the called file. */
import { expect, onTestFinished, test } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { clientInProcess } from './client.ts'
import { folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const CARD = 'app/views/partials/card.liquid'
const DOCUMENTED =
  '{% doc %}\n  @param {string} title - what it says\n  @param {number} [price] - in cents\n{% enddoc %}\n{{ title }}{{ price }}{% return title %}\n'
const PLAIN = '<b>{{ title }}</b>\n<i>{{ price | default: 1 }}</i>{% return title %}\n'

test.each([
  ['a missing argument', "{% render 'card' %}", DOCUMENTED, 'missing-argument', 'title'],
  ['a misspelled argument', "{% render 'card', titel: 'a' %}", DOCUMENTED, 'missing-argument', 'title'],
  ['an argument of a wrong type', "{% render 'card', title: 'a', price: 'b' %}", DOCUMENTED, 'argument-type', 'price'],
  [
    'an unknown argument that is like one',
    "{% render 'card', title: 'a', pric: 1 %}",
    DOCUMENTED,
    'unknown-argument',
    'price',
  ],
  ['an unknown argument', "{% render 'card', title: 'a', other: 1 %}", DOCUMENTED, 'unknown-argument', 'title'],
  ['a call of a function', "{% function x = 'card' %}{{ x }}", DOCUMENTED, 'missing-argument', 'title'],
  [
    'an unknown argument of a function',
    "{% function x = 'card', title: 'a', pric: 1 %}{{ x }}",
    DOCUMENTED,
    'unknown-argument',
    'price',
  ],
  ['an include', "{% include 'card', title: 'a', price: 'b' %}", DOCUMENTED, 'argument-type', 'price'],
  ['an argument that a partial reads', "{% render 'card' %}", PLAIN, 'missing-inferred-argument', 'title'],
  [
    'an argument that is not read but like one',
    "{% render 'card', title: 'a', pric: 1 %}",
    PLAIN,
    'unknown-inferred-argument',
    'price',
  ],
])('%s', async (_what, page, card, code, expected) => {
  const client = await clientInProcess(folderOf({ [PAGE]: page, [CARD]: card }))
  onTestFinished(() => client.end())
  client.open(PAGE, page)
  const found = await client.diagnostics(PAGE, (all) => all.some((each) => each.code === code))
  const related = found.find((each) => each.code === code)?.relatedInformation ?? []
  const document = TextDocument.create('', '', 0, card)
  expect(related.map(({ location }) => [location.uri, document.getText(location.range)])).toEqual([
    [client.uri(CARD), expect.stringContaining(expected)],
  ])
})
