/** `liquid` tags with tens of thousands of statements are parsed in linear time. */
import { expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'
import { measureCost } from '../../../support/cost.ts'

it.each([
  ['statements', (n: number) => `  assign a = ${n} | plus: 1`],
  ['statements with a comment', (n: number) => `  echo ${n} # ${n}`],
  ['statements with a text', (n: number) => `  echo '%${n}'`],
])('%s', (_, line) => {
  const cost = (count: number): number => {
    const lines = Array.from({ length: count }, (_each, n) => line(n)).join('\n')
    const files = filesFromTexts({ 'app/views/pages/index.liquid': `{% liquid\n${lines}\n%}{{ a }}` }, false)
    const taken = measureCost()
    const { diagnostics } = compile(files, {
      dialect: 'platform',
      syntax: 'lax',
      keepGoing: false,
      openEntries: false,
    })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    return taken()
  }
  cost(1_000)
  const few = cost(5_000)
  // A quadratic algorithm would take sixteen times as long.
  expect(cost(20_000)).toBeLessThan(9 * few + 500)
})
