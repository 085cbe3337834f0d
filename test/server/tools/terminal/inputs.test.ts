/** Tests the inputs of the console. */
import { expect, test } from 'vitest'
import { parseInput, isComplete, variablesSetBy, withVariables } from '../../../../server/tools/terminal/inputs.ts'
import { readExecLine, parseVariable } from '../../../../server/commands/exec.ts'

test.each([
  ['1 | plus: 2', '{{ 1 | plus: 2 | json }}'],
  ['dish.name', '{{ dish.name | json }}'],
  ["'a' | upcase", "{{ 'a' | upcase | json }}"],
  ['x == 1', '{{ x == 1 | json }}'],
  ['assign x = 1', '{% liquid\nassign x = 1\n%}'],
  ["graphql r = 'dishes/list'", "{% liquid\ngraphql r = 'dishes/list'\n%}"],
  ['Hi {{ x }}', 'Hi {{ x }}'],
])('%s becomes Liquid', (typed, text) => {
  expect(parseInput(typed)).toEqual({ kind: 'liquid', text })
})

test.each(['{ records { total_entries } }', 'query x { a }', 'mutation ($a: Int) { b }'])('%s is GraphQL', (typed) => {
  expect(parseInput(typed)).toEqual({ kind: 'graphql', document: typed })
})

test.each([
  ['{% if x %}', false],
  ['{% if x %}\nyes\n{% endif %}', true],
  ['if x\necho 1', false],
  ['if x\necho 1\nendif', true],
  ['{{ x', false],
  ['{ records {', false],
  ['assign x = 1', true],
  ["parse_json x = '1'", true],
  ['x | upcase', true],
])('%j is whole: %s', (typed, whole) => {
  expect(isComplete(typed)).toBe(whole)
})

test('variables go from one input to the next', () => {
  expect(variablesSetBy("{% liquid\nassign a = 1\ngraphql b = 'x'\n%}{% capture c %}{% endcapture %}")).toEqual([
    'a',
    'b',
    'c',
  ])
  const text = withVariables('{{ a }}{% assign d = a %}', new Set(['a', 'z']))
  expect(text).toBe(
    "{% assign a = context.exports.console.a %}{{ a }}{% assign d = a %}{% export d, namespace: 'console' %}{% export a, namespace: 'console' %}",
  )
})

test('the line of `ingot exec` names a language and variables', () => {
  expect(readExecLine(['a.graphql', 'site', '--var', 'n=3', '--var', 'l=[1]', '--var', 't=007'])).toEqual({
    ...{ file: 'a.graphql', dir: 'site', language: 'graphql' },
    variables: { n: 3, l: [1], t: '007' },
  })
  expect(readExecLine(['-']).language).toBe('liquid')
  expect(readExecLine(['-', '--graphql']).language).toBe('graphql')
  expect(() => readExecLine([])).toThrow(/needs a file/)
  expect(() => readExecLine(['a', '--vra', 'x'])).toThrow(/no option '--vra'/)
  expect(() => parseVariable('l=[1')).toThrow(/is not valid JSON/)
})
