/** Filters whose work does not depend on the length of their text alone: they count steps, and their errors name them. */
import { expect, it } from 'vitest'
import { LimitFault } from '../../../../runtime/page/fault.ts'
import { markdown } from '../../../../runtime/page/filters/web/markdown.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import { createMarkdown } from '../../../../server/core/services/markdown.ts'

const LENGTH = 900_000
const fill = (text: string, length = LENGTH): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

const HOSTILE: Readonly<Record<string, string>> = {
  'pictures that are not closed': fill('!['),
  'links that are not closed': fill('[a'),
  'brackets in brackets': fill('[', LENGTH / 2) + fill(']', LENGTH / 2),
  'signs of emphasis': `${fill('*', LENGTH / 2)}a${fill('*', LENGTH / 2)}`,
  'emphasis that may end anywhere': fill('a**b'),
  'items in items': fill('- a\n  '),
  'a table of many columns': `${fill('a|', LENGTH / 2)}\n${fill('-|', LENGTH / 2)}`,
  'a table of many rows': `|a|b|\n|-|-|\n${fill('|x|y\n')}`,
  'lines of one letter': fill('a\n'),
  'signs of code': fill('a``'),
  entities: fill('&'),
}

it.for(Object.entries(HOSTILE))('markdown ends with its name for %s', async ([, text]) => {
  expect(() => markdown(text)).toThrow(new LimitFault('`markdown` took more than 250000 steps for one text', 'steps'))
  // Pages in Markdown may print what visitors wrote.
  await expect(createMarkdown().html(text)).rejects.toThrow('`markdown` took more than')
})

it('markdown counts each text separately, and accepts long ones', () => {
  const paragraph =
    'A word, *another* and [a link](https://example.com/) in `code`.\n\n- an item\n- a **second** one\n\n'
  for (let times = 0; times < 3; times++) expect(str(markdown(fill(paragraph, 300_000)))).toContain('<strong>second')
  expect(() => markdown(fill('!['))).toThrow(LimitFault)
  expect(str(markdown('*a*'))).toBe('<p><em>a</em></p>\n')
  expect(str(markdown(fill('Plain words, one line behind the other, as they stand in a book.\n')))).toContain('book')
})
