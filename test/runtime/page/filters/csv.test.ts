/** CSV of filters contains no text that a spreadsheet would evaluate. */
import { expect, it } from 'vitest'
import { to_csv } from '../../../../runtime/page/filters/data/to_csv.ts'
import { Float } from '../../../../runtime/page/values/number.ts'

it.for([
  '=1+1',
  '+cmd',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\uff1d1',
  '\uff0b1',
  '\uff0d1',
  '\uff20a',
  '-',
  '+1 2',
  '--1',
])('a cell of %j is disarmed', (text) => {
  expect(to_csv([[text, 'x']])).toBe(`"'${text}","x"`)
  expect(to_csv([[text]], { sanitize: false })).toBe(`"${text}"`)
  expect(to_csv([[text]], { force_quotes: true })).toBe(`"'${text}"`)
})

it('numbers stay numbers, and other texts are unchanged', () => {
  expect(to_csv([['-5', -5, new Float(-1.5), '0', 'a=b', "'", ' =1']])).toBe('-5,-5,-1.5,0,"a=b","\'"," =1"')
})
