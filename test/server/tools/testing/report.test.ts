/** Tests the reports of test results, and the parsing of test files. */
import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { selectTests } from '../../../../server/tools/testing/select-tests.ts'
import { createFailure } from '../../../../server/tools/testing/contract.ts'
import { formatCoverage, mappingsOf, testedCoverage } from '../../../../server/tools/testing/coverage.ts'
import type { TestResult } from '../../../../server/tools/testing/model.ts'
import { diff, formatJunit, formatResult, formatSummary } from '../../../../server/tools/testing/report.ts'
import { readRequests, InvalidTestFile } from '../../../../server/tools/testing/request-file.ts'
import { elementsOf, formOf, textIn } from '../../../../server/tools/testing/selector.ts'

const plain = picocolors.createColors(false)
const PLACE = { file: 'app/lib/test/a_test.liquid', line: 3 }

function result(...failures: TestResult['failures']): TestResult {
  const test = { kind: 'liquid', name: 'test/a_test', file: 'app/lib/test/a_test.liquid' } as const
  return { test, failures, assertions: 2, printed: '', milliseconds: 12.4 }
}

test('what was expected and what came stand below each other, of lists and hashes by line', () => {
  expect(formatResult(result(), plain)).toBe('✓ test/a_test  2 assertions  12 ms\n')
  expect(formatResult(result(createFailure('sum', 'expected 4 to equal 5', PLACE)), plain)).toBe(
    '✗ test/a_test  12 ms\n    app/lib/test/a_test.liquid:3\n      sum\n      - expected  5\n      + got       4\n',
  )
  const shown = formatResult(result(createFailure('list', 'expected [1,2,3] to equal [1,3]', null)), plain)
  expect(shown).toContain('        [\n          1,\n      +   2,\n          3\n        ]'.replace(/^ {6}/gm, '      '))
  expect(formatResult(result(createFailure('name', 'should be &lt;b&gt;', PLACE)), plain)).toContain(
    'name: should be <b>',
  )
  expect(formatSummary([result(), result(createFailure('', 'x', null))], 1_234, plain)).toBe(
    '2 tests, 4 assertions: 1 failed (1.2 s)\n',
  )
})

test('a comparison keeps what is common, however long the texts are', () => {
  const shown = (before: string, after: string): string =>
    diff([...before], [...after])
      .map(({ sign, line }) => `${sign}${line}`.trim())
      .join(' ')
  expect(shown('abc', 'abc')).toBe('a b c')
  expect(shown('abcd', 'axcd')).toBe('a -b +x c d')
  expect(shown('', 'ab')).toBe('+a +b')
  expect(diff(new Array(3_000).fill('a'), new Array(3_000).fill('b'))).toHaveLength(6_000)
})

test("JUnit's XML holds every failure, and no sign that XML has no place for", () => {
  const xml = formatJunit([result(createFailure('a<b', 'bad \x07 & "x"', PLACE)), result()], 50)
  expect(xml).toContain('<testsuites tests="2" failures="1" errors="0" time="0.050">')
  expect(xml).toContain('<failure message="bad ? &amp; &quot;x&quot;">app/lib/test/a_test.liquid:3\na&lt;b: bad')
  expect(xml.match(/<testcase /g)).toHaveLength(2)
})

test('lines are told in ranges, and other modules than those with tests are left out', () => {
  const lines = new Map([1, 2, 3, 4, 7].map((line) => [line, line === 1] as const))
  const files = [
    { file: 'app/a.liquid', lines },
    { file: 'modules/x/public/b.liquid', lines },
    { file: 'app/lib/test/a_test.liquid', lines },
  ]
  expect(testedCoverage(files, ['app/lib/test/a_test.liquid']).map(({ file }) => file)).toEqual(['app/a.liquid'])
  expect(testedCoverage(files, ['modules/x/public/lib/a_test.liquid'])).toHaveLength(2)
  expect(formatCoverage(files.slice(0, 1))).toBe(
    'Lines that ran\napp/a.liquid   20.0%  2-4, 7\nall            20.0%  1 of 5 lines\n',
  )
  expect(mappingsOf('AAAA,IAEK;;EADF')).toEqual([
    [
      { column: 0, source: 0, sourceLine: 0 },
      { column: 4, source: 0, sourceLine: 2 },
    ],
    [],
    [{ column: 2, source: 0, sourceLine: 1 }],
  ])
})

test('files of requests are read with the lines of their steps', () => {
  const steps = readRequests(
    '- GET: /\n  text: Hi\n\n- run: test/setup\n  as: dish\n- POST: /x\n  json: { a: 1 }\n  selector: { h1: A, li: 2 }\n',
  )
  expect(steps.map(({ line, request, run }) => [line, request?.method ?? run])).toEqual([
    [1, 'GET'],
    [4, 'test/setup'],
    [6, 'POST'],
  ])
  expect(steps[0]?.text).toEqual(['Hi'])
  expect(steps[2]?.selector).toEqual([
    ['h1', 'A'],
    ['li', 2],
  ])
})

test.each([
  ['GET: /', 1, /list of requests/],
  ['- GET: /\n- GET: /a\n  POST: /b', 2, /exactly one of: a request/],
  ['- {}', 1, /exactly one of: a request/],
  [
    '- GET: /\n  nonsense: 1\n  stauts: 200',
    2,
    /^A step has no key `nonsense`\. A step has no key `stauts`: did you mean `status`\?$/,
  ],
  ['- GET: /\n  status: soon', 2, /`status`/],
  ['- GET: /\n- 5', 2, /^A step must be a map/],
  ['- GET: [', 1, /./],
])('%j is refused with its line', (text, line, sentence) => {
  const read = (): unknown => readRequests(text)
  expect(read).toThrow(InvalidTestFile)
  expect(read).toThrow(sentence)
  expect(read).toThrow(expect.objectContaining({ line }))
})

test('pages are looked into as browsers see them', () => {
  const html = `<ul class="x"><li>a  <b>b</b></li><li id="z">c</li></ul><form method="post" action="/go">
    <input name="t" value="1"><input type="checkbox" name="c"><input type="checkbox" name="d" checked>
    <textarea name="e">\nlong &amp; short</textarea><select name="s"><option value="1">A<option selected>B</select>
    <input type="submit" name="no" value="x"></form>`
  expect(elementsOf(html, 'ul.x > li').map(textIn)).toEqual(['a b', 'c'])
  expect(elementsOf(html, '#z, .none')).toHaveLength(1)
  expect(formOf(html, '.none')).toBeNull()
  expect(formOf(html, 'form')).toEqual({
    ...{ action: '/go', method: 'POST' },
    fields: [
      ['t', '1'],
      ['d', 'on'],
      ['e', 'long & short'],
      ['s', 'B'],
    ],
  })
})

test('tests are chosen by files, folders, names and a filter', () => {
  const all = ['app/lib/test/a_test.liquid', 'app/lib/test/deep/b_test.liquid'].map((file) => ({
    ...({ kind: 'liquid', file } as const),
    name: file.slice('app/lib/'.length, -'.liquid'.length),
  }))
  const chosen = (words: readonly string[], filter: string | null = null): readonly string[] =>
    selectTests(all, { chosenFiles: words, filter }).map(({ name }) => name)
  expect(chosen([])).toHaveLength(2)
  expect(chosen(['app/lib/test/deep'])).toEqual(['test/deep/b_test'])
  expect(chosen(['app/lib/test/a_test.liquid', 'deep/b_test'])).toHaveLength(2)
  expect(chosen(['test/a_test'])).toEqual(['test/a_test'])
  expect(chosen([], 'deep')).toEqual(['test/deep/b_test'])
  expect(chosen(['app/lib/test/d'])).toEqual([])
})
