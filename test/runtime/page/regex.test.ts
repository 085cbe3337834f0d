/** Ruby's regular expressions: their matches, rejected patterns, and linear time. */
import { describe, expect, it } from 'vitest'
import { ArgumentFault } from '../../../runtime/page/fault.ts'
import { compileRegex, parseOptionLetters, patternProblem } from '../../../runtime/page/regex/index.ts'
import { NO_OPTIONS } from '../../../runtime/page/regex/node.ts'
import { compileProgram } from '../../../runtime/page/regex/program.ts'
import { parsePattern } from '../../../runtime/page/regex/reader.ts'
import { Search } from '../../../runtime/page/regex/search.ts'
import { measureCost } from '../../support/cost.ts'

/** Returns the same as `text.scan(/source/letters)` in Ruby: the groups of each match, or the whole match if the pattern has no groups. */
function scan(source: string, text: string, letters = ''): unknown[] {
  const regex = compileRegex(source, parseOptionLetters(letters))
  return Array.from(regex.matches(text), ({ start, end, groups }) =>
    groups.length > 0 ? groups : text.slice(start, end),
  )
}

const test = (source: string, text: string, letters = '') =>
  compileRegex(source, parseOptionLetters(letters)).test(text)

/** The results of `text.scan(/source/letters)` in Ruby 3. */
const SCANS: readonly (readonly [source: string, text: string, expected: unknown[], letters?: string])[] = [
  // Ends of lines and of the text.
  ['^.', 'ab\ncd', ['a', 'c']],
  ['.$', 'ab\ncd', ['b', 'd']],
  ['^', 'a\nb\n', ['', '']],
  ['^', '', ['']],
  ['^', '\n', ['']],
  ['^x*', 'a\n', ['']],
  ['$', 'a\n', ['', '']],
  ['\\A.', 'ab\ncd', ['a']],
  ['.\\z', 'ab\ncd\n', []],
  ['.\\Z', 'ab\ncd\n', ['d']],
  ['(d\\Z)', 'ab\ncd\n', [['d']]],
  ['\\Z', 'a\n', ['', '']],
  ['.\\Z|x', 'cd\n', ['d']],
  // Dots and options.
  ['a.b', 'a\nb', []],
  ['a.b', 'a\nb', ['a\nb'], 'm'],
  ['a b # c', 'ab', ['ab'], 'x'],
  ['a[ ]b\\ c', 'a b c', ['a b c'], 'x'],
  ['(?i)a|b', 'AB', ['A', 'B']],
  ['x(?i)a|b', 'xAxb', ['xA', 'xb']],
  ['(?i:a)b', 'AbAB', ['Ab']],
  ['a(?-i:B)', 'AbAB', ['AB'], 'i'],
  ['(?m:.)b', '\nb', ['\nb']],
  ['(?x: a b )c d', 'abc d', ['abc d']],
  ['a(?#note)b', 'ab', ['ab']],
  // Classes.
  ['\\h+', 'xBEEFy9', ['BEEF', '9']],
  ['\\H', 'aG', ['G']],
  ['[\\h&&[^a-c]]', 'abcdE', ['d', 'E']],
  ['[a-z&&[^aeiou]]+', 'hello', ['h', 'll']],
  ['[a-c[x-z]]+', 'axqz', ['ax', 'z']],
  ['[^a[^b]]', 'ab', ['b']],
  ['[]a]+', 'a]b', ['a]']],
  ['[a\\-z]+', 'a-zb', ['a-z']],
  ['[-a]+', '-ab', ['-a']],
  ['[a-]+', 'a-b', ['a-']],
  ['\\s', 'a\vb', ['\v']],
  ['\\S+', 'a\vb', ['a', 'b']],
  ['\\w+', 'aé_1', ['a', '_1']],
  ['(?u)\\w+', 'aé_1', ['aé_1']],
  ['[[:alpha:]]+', 'aé1', ['aé']],
  ['(?a)[[:alpha:]]+', 'aé1', ['a']],
  ['[[:^digit:]]+', 'a1b', ['a', 'b']],
  ['[[:punct:]]+', 'a$,b', ['$,']],
  ['\\p{Alpha}+', 'żó1', ['żó']],
  ['\\p{Greek}', 'aα', ['α']],
  ['\\p{^Lu}', 'aB', ['a']],
  ['\\P{Letter}', 'a1', ['1']],
  ['[\\p{Upper}\\d]+', 'aB1', ['B1']],
  ['[\\b]', 'a\bb', ['\b']],
  ['.', '🎉a', ['🎉', 'a']],
  ['\\u{1F389}', '🎉', ['🎉']],
  ['\\u0061\\x62\\143', 'abc', ['abc']],
  ['[\\u{61 62}]+', 'abc', ['ab']],
  ['\\R', 'a\r\nb\nc\u2028', ['\r\n', '\n', '\u2028']],
  ['\\t\\n\\e\\a\\f\\v\\cA', '\t\n\u001b\u0007\f\v\u0001', ['\t\n\u001b\u0007\f\v\u0001']],
  ['\\/\\.\\@\\-\\"', '/.@-"', ['/.@-"']],
  // Groups.
  [
    '(a)(b)?',
    'ab a',
    [
      ['a', 'b'],
      ['a', null],
    ],
  ],
  ['(?<y>a)(b)', 'ab', [['a']]],
  ["(?'y'a)", 'a', [['a']]],
  ['(?:a)(b)', 'ab', [['b']]],
  ['()', 'a', [[''], ['']]],
  // Repeats.
  ['a{2}', 'aaaaa', ['aa', 'aa']],
  ['a{,2}', 'aaa', ['aa', 'a', '']],
  ['a{2,}', 'aaa', ['aaa']],
  ['a{x}', 'a{x}', ['a{x}']],
  ['a{2}?', 'aa', ['aa', '']],
  ['a{1,2}?', 'aa', ['a', 'a']],
  ['a**', 'aa', ['aa', '']],
  ['a{2}{3}', 'aaaaaaa', ['aaaaaa']],
  ['a+?b', 'aab', ['aab']],
  ['a*', 'baac', ['', 'aa', '', '']],
  ['(?:)*a', 'a', ['a']],
  // Possessive repeats and atomic groups that are equivalent to greedy ones.
  ['a++b', 'aab', ['aab']],
  ['[^"]*+"', 'ab"', ['ab"']],
  ['\\d++\\z', '12', ['12']],
  ['(?>a+)b', 'aab', ['aab']],
  ['(?>foo|bar)d', 'bard', ['bard']],
  ['a*+', 'aa', ['aa', '']],
  // Lookbehind.
  ['(?<=\\$)\\d+', '$12 3', ['12']],
  ['(?<!\\$)\\b\\d+', '$12 3', ['3']],
  ['foo\\Kbar', 'foobar', ['bar']],
  ['\\Bb', 'ab b', ['b']],
  // Words in any language.
  ['\\bcafé\\b', 'café, cafés', ['café']],
  ['\\bó', 'óó ó', ['ó', 'ó']],
  ['\\bfoo\\b', 'foo fooé éfoo foo', ['foo', 'foo']],
  ['\\bfoo\\b', 'foo foo_ foo', ['foo', 'foo']],
  ['[[:alpha:]]+\\b', 'żółw je', ['żółw', 'je']],
  ['a\\b', 'aé a', ['a']],
  ['a\\B', 'aé a', ['a']],
  ['\\Bé', 'aé é', ['é']],
  ['a\\b é', 'a é', ['a é']],
  ['(é\\b)', 'é é', [['é'], ['é']]],
  // Lookahead.
  ['a(?=b)', 'ab ac', ['a']],
  ['a(?!b)', 'ab ac', ['a']],
  ['^(?!\\/)(.+)', 'http://x', [['http://x']]],
  ['^(?!\\/)(.+)', '/x', []],
  ['(?=(a+))a', 'aab', [['aa'], ['a']]],
  ['(?!(a)b)a', 'ab ac', [[null]]],
  ['(?=.*\\d)(?=.*[a-z])\\A.{4,}\\z', 'abc1', ['abc1']],
  ['\\d(?=(?:\\d{3})+(?!\\d))', '1234567', ['1', '4']],
  ['(?<=(a))b', 'ab', [['a']]],
  ['(?<=\\b(?!x)\\w)b', 'ab xb', ['b']],
  ['é(?=\\B)', 'éé é', ['é']],
  ['(?i)É(?=x)', 'éX', ['é']],
  ['🎉(?=🎉)', '🎉🎉a', ['🎉']],
  ['(?<=🎉)(?=a)', '🎉🎉a', ['']],
  ['x(?=$)', 'x\nx', ['x', 'x']],
  ['x\\K(?=y)', 'xy', ['']],
  ['(?=a|b)(?:a|b)*?b', 'aab', ['aab']],
  ['(?:(?=a)a*)*b', 'aab', ['aab']],
  ['(?:a?(?=))*', 'aa', ['aa', '']],
  // Possessive repeats and atomic groups that never backtrack.
  ['a*+a', 'aaa', []],
  ['(?>a|ab)c', 'abc', []],
  ['(?>a*)a', 'aaa', []],
  ['(?>(a)|ab)c|(b)', 'abc', [[null, 'b']]],
  ['^(?:m/[^/]+/e/[^/]++|e/[^/]+)$', 'm/a/e/b', ['m/a/e/b']],
  ['"(?>[^"\\\\]+|\\\\.)*"', 'x "a\\"b" y', ['"a\\"b"']],
  // Back-references.
  ['(a|b)\\1', 'aabab', [['a']]],
  ['(?<q>[\'"]).*?\\k<q>', '\'a" \' "b"', [["'"], ['"']]],
  ['(a)?b\\1', 'ab b', []],
  ['(?i)(a)\\1', 'aA', [['a']]],
]

describe('a regular expression matches as in Ruby', () => {
  for (const [source, text, expected, letters] of SCANS) {
    it(`/${source}/${letters ?? ''} in ${JSON.stringify(text)}`, () => {
      expect(scan(source, text, letters)).toEqual(expected)
      expect(test(source, text, letters)).toBe(expected.length > 0)
    })
  }
})

/** Unsupported patterns, and patterns that are also invalid in Ruby. */
const REFUSED: readonly (readonly [source: string, reason: RegExp])[] = [
  ['(?<x>a\\g<x>?)', /calls a group/],
  ['(?~a)', /absence/],
  ['(a)?(?(1)b|c)', /condition/],
  ['\\G', /\\G/],
  ['\\X', /\\X/],
  ['(', /parenthesis/],
  [')', /parenthesis/],
  ['[', /premature/],
  ['[]', /empty|premature/],
  ['[z-a]', /empty range/],
  ['*a', /target of repeat/],
  ['a{3,1}', /backwards/],
  ['\\', /too short/],
  ['\\p{Nope}', /property/],
  ['[[:nope:]]', /POSIX/],
  ['(?z)', /option/],
  ['(?<>a)', /name/],
  ['\\2(a)', /backref/],
  ['\\k<n>', /undefined name/],
  ['\\xff', /bytes/],
  ['\\u{110000}', /Unicode/],
  ['a{2000}', /more than 1000 times/],
  ['((a{100}){100}){100}', /repeats too much/],
  ['(?=((a{100}){100}){100})', /repeats too much/],
  ['('.repeat(500) + ')'.repeat(500), /nested/],
  ['['.repeat(500), /nested/],
  ['a'.repeat(20_000), /longer/],
  [`a${'*?'.repeat(1000)}`, /nested/],
]

describe('a pattern is refused with the reason', () => {
  for (const [source, reason] of REFUSED) {
    it(source.slice(0, 40), () => {
      expect(patternProblem(source, NO_OPTIONS)).toMatch(reason)
      expect(() => compileRegex(source, NO_OPTIONS)).toThrow(ArgumentFault)
    })
  }

  it('names the pattern', () => {
    expect(() => compileRegex('a(?~b)', NO_OPTIONS)).toThrow(
      'invalid regular expression /a(?~b)/: it has an absence group',
    )
  })
})

describe('names of groups', () => {
  it('lead to their numbers, a name that is there twice to both', () => {
    expect([...compileRegex('(?<a>x)|(?<a>y)(?<b>z)', NO_OPTIONS).names]).toEqual([
      ['a', [1, 2]],
      ['b', [3]],
    ])
    expect(compileRegex('(?<__proto__>x)', NO_OPTIONS).names.get('__proto__')).toEqual([1])
  })
})

describe('time', () => {
  const letters = 'a'.repeat(100_000)
  for (const source of [
    '(a+)+$',
    '(a|aa)+$',
    '(a*)*b',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?<!b)(a+)+c',
    'a?'.repeat(50),
  ]) {
    it(`is linear for ${source.slice(0, 40)}`, () => {
      const cost = measureCost()
      compileRegex(source, NO_OPTIONS).test(`${letters}!`)
      expect(cost()).toBeLessThan(15_000)
    })
  }

  it('ends a search whose matches each look to the end of the text', () => {
    const cost = measureCost()
    expect(() => {
      for (const _ of compileRegex('a.*b|a', NO_OPTIONS).matches(letters));
    }).toThrow('a regular expression took too long')
    expect(cost()).toBeLessThan(15_000)
  })

  it('is linear where all of a long text matches in parts', () => {
    for (const source of ['a', 'a*?', '(a)(b)?', '(?<!b)a', 'a\\Z|a']) {
      const cost = measureCost()
      let count = 0
      for (const _ of compileRegex(source, NO_OPTIONS).matches(letters)) count++
      expect(count, source).toBeGreaterThanOrEqual(letters.length)
      expect(cost(), source).toBeLessThan(4_000)
    }
  })

  it('is linear for boundaries of words beyond ASCII', () => {
    const words = 'żółw ab '.repeat(25_000)
    for (const source of ['\\b[[:alpha:]]+\\b', '\\bab\\b', 'ó\\B']) {
      const cost = measureCost()
      let count = 0
      for (const _ of compileRegex(source, NO_OPTIONS).matches(words)) count++
      expect(count, source).toBeGreaterThanOrEqual(25_000)
      expect(cost(), source).toBeLessThan(4_000)
    }
  })

  it('is short for patterns that are made to be read slowly', () => {
    for (const source of [
      '(?:'.repeat(150),
      '[a&&'.repeat(2000),
      '(?#'.repeat(3000),
      '\\p{'.repeat(3000),
      '|'.repeat(9000),
    ]) {
      const cost = measureCost()
      patternProblem(source, NO_OPTIONS)
      expect(cost(), source.slice(0, 10)).toBeLessThan(5000)
    }
  })
})

describe('searching step by step', () => {
  it('finds the same first match as RE2', () => {
    for (const [source, text, expected, letters = ''] of SCANS) {
      const found = new Search(compileProgram(parsePattern(source, parseOptionLetters(letters))), text).find(0)
      const [first] = compileRegex(source, parseOptionLetters(letters)).matches(text)
      expect(found === null, source).toBe(expected.length === 0)
      expect([found?.start, found?.end], source).toEqual([first?.start, first?.end])
    }
  })

  it('is linear where every step is tried once at each place', () => {
    const letters = 'a'.repeat(50_000)
    for (const source of ['(?!b)(a+)+\\d', '(?!b)(?:a|aa)+\\d', '(?!b)(?:a*)*\\d']) {
      const cost = measureCost()
      expect(compileRegex(source, NO_OPTIONS).test(`${letters}!`), source).toBe(false)
      expect(cost(), source).toBeLessThan(10_000)
    }
  })

  it('ends at a limit', () => {
    const letters = 'a'.repeat(20_000)
    for (const source of ['(?=.*b)a', '(a*)*\\1b', '(a+)+\\1$', '(?<!(a).*)c', '(?>a+)a', '((?=a)a*)*\\1{1,900}b']) {
      const cost = measureCost()
      expect(() => compileRegex(source, NO_OPTIONS).test(`${letters}!`), source).toThrow(
        'a regular expression took too long',
      )
      expect(cost(), source).toBeLessThan(10_000)
    }
  })

  it('ends at the same limit over all matches of a text', () => {
    expect(() => {
      for (const _ of compileRegex('a(?=.*)', NO_OPTIONS).matches('a'.repeat(20_000)));
    }).toThrow('a regular expression took too long')
  })
})
