/** Tests the marks around what templates have printed: they are only where HTML allows comments, and properly nested. */
import { expect, test } from 'vitest'
import { markedPage } from '../../../../server/tools/dev/marks.ts'

const marks = (page: string, ...printed: readonly (readonly [file: string, text: string, depth: number])[]): string =>
  markedPage(
    page,
    printed.map(([file, text, depth]) => ({ file, text, depth })),
    () => null,
  )
    .replace(/<!--ingot-begin (.*?)-->/g, '[$1:')
    .replaceAll('<!--ingot-end-->', ']')

test('texts are marked from outside to inside, and equal ones one after the other', () => {
  const page = '<ul><li>a</li><li>a</li></ul>'
  expect(marks(page, ['card', '<li>a</li>', 1], ['card', '<li>a</li>', 1], ['page', page, 0])).toBe(
    '[page:<ul>[card:<li>a</li>][card:<li>a</li>]</ul>]',
  )
  expect(marks('<b></b>', ['inner', '<b></b>', 1], ['outer', '<b></b>', 0])).toBe('[outer:[inner:<b></b>]]')
})

test('nothing is marked in attributes, scripts, styles, titles, text areas and comments', () => {
  const b = '<b>x</b>'
  const places = [
    `<a title="${b}">`,
    `<a title='>${b}'>`,
    `<script>"${b}"</script>`,
    `<style>/* ${b} */</style>`,
    `<title>${b}</title>`,
    `<textarea>${b}</textarea >`,
    `<!-- ${b} -->`,
    `<SCRIPT>${b}`,
  ]
  for (const place of places) expect(marks(place, ['part', b, 0]), place).toBe(place)
  expect(marks(`<script>${b}</script>${b}`, ['other', 'x', 0], ['part', `</script>${b}`, 0])).not.toContain('[')
})

test('texts without elements, changed texts and texts that overlap are left out', () => {
  expect(marks('<p>one</p>', ['text', 'one', 1], ['gone', '<i>two</i>', 1])).toBe('<p>one</p>')
  expect(marks('<i>1</i><b>2</b><u>3</u>', ['a', '<i>1</i><b>2</b>', 0], ['b', '<b>2</b><u>3</u>', 0])).toBe(
    '[a:<i>1</i><b>2</b>]<u>3</u>',
  )
  expect(markedPage('<b></b>', [{ file: 'a-->b', text: '<b></b>', depth: 0 }], () => null)).toBe(
    '<!--ingot-begin a- ->b--><b></b><!--ingot-end-->',
  )
})

test('each element has the line that printed it, without what other templates printed', () => {
  const card = '<li class="card">\n  <b title="{{ n }}">card {{ n }}</b>\n</li>\n'
  const list =
    '---\nslug: list\n---\n<ul>\n  {% for n in list %}\n    {% render "card", n: n %}\n  {% endfor %}\n</ul>\n<b>all</b>\n'
  const one = '<li class="card">\n  <b title="1">card 1</b>\n</li>\n'
  const two = one.replaceAll('1', '2')
  const page = `<ul>\n  \n    ${one}\n  \n    ${two}\n  \n</ul>\n<b>all</b>\n`
  const printed = [
    { file: 'card', text: one, depth: 1 },
    { file: 'card', text: two, depth: 1 },
    { file: 'list', text: page, depth: 0 },
  ]
  const marked = markedPage(page, printed, (file) => (file === 'card' ? card : list))
  const lines = [...marked.matchAll(/<!--ingot-line (\d+)--><(\w+)/g)].map(([, line, tag]) => `${tag} ${line}`)
  expect(lines).toEqual(['ul 4', 'li 1', 'b 2', 'li 1', 'b 2', 'b 9'])
})
