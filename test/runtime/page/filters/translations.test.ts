/** Translations: plurals of any language, fallbacks and escaping. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { esc } from '../../../../runtime/page/values/text.ts'
import { findFilter, createRender } from './evaluator.ts'

const FORMS = { zero: 'Z', one: '1', two: '2', few: 'F', many: 'M', other: 'O' }

function translateKey(trees: Record<string, unknown>, locale: string, key: string, options: unknown = null): unknown {
  const r = createRender({ $i18n: trees })
  r.context.language = locale
  return findFilter('t')?.run(r, key, options)
}

const translateCount = (locale: string, forms: Record<string, string>, count: unknown): string =>
  esc(translateKey({ [locale]: { x: forms } }, locale, 'x', { count }))

describe('plurals', () => {
  it.each([
    ['en', [1, 2, 21, 1.5], '1OOO'],
    ['pl', [1, 2, 5, 12, 22, 25, 1.5], '1FMMFMO'],
    ['ru', [1, 2, 5, 21, 111, 1.5], '1FM1MO'],
    ['ar', [1, 2, 3, 11, 100], '12FMO'],
    ['cy', [1, 2, 3, 6, 4], '12FMO'],
    ['fr', [0, 1, 1.5, 2], 'Z11O'],
    ['cs', [1, 2, 5, 1.5], '1FOM'],
    ['pt_BR', [1, 2], '1O'],
  ])('of %s', (locale, counts, expected) => {
    expect(counts.map((count) => translateCount(locale, FORMS, count)).join('')).toBe(expected)
  })

  it('use the form zero for 0 when there is one, otherwise the rule of the language', () => {
    expect(translateCount('en', FORMS, 0)).toBe('Z')
    expect(translateCount('en', { one: '1', other: 'O' }, 0)).toBe('O')
    expect(translateCount('fr', { one: '1', other: 'O' }, 0)).toBe('1')
    expect(translateCount('lv', { zero: 'Z', one: '1', other: 'O' }, 10)).toBe('Z')
  })

  it('make do with the forms that there are', () => {
    expect(translateCount('pl', { one: '1', other: 'O' }, 3)).toBe('O')
    expect(translateCount('pl', { one: '1' }, 3)).toBe('1')
    // Japanese has one form, but this translation has two.
    expect(translateCount('ja', { one: '1', other: 'O' }, 1)).toBe('1')
    expect(translateCount('ja', { other: 'O' }, 1)).toBe('O')
    // `jp` is not a valid language.
    expect(translateCount('jp', { one: '1', other: 'O' }, 1)).toBe('1')
    expect(translateCount('not a language', { one: '1', other: 'O' }, 2)).toBe('O')
  })

  it('read counts from text, and fill them in', () => {
    expect(translateCount('en', { one: '%{count} item', other: '%{count} items' }, '1')).toBe('1 item')
    expect(translateCount('en', { one: '%{count} item', other: '%{count} items' }, '12')).toBe('12 items')
    expect(translateCount('en', { other: '%{count}' }, '<b>')).toBe('&lt;b&gt;')
  })
})

describe('a missing translation', () => {
  const trees = { en: { a: 'A', s: { b: 'B %{n}' } }, pl: { c: 'C' } }

  it('is English, unless that is refused, then the default, then a text that says so', () => {
    expect(esc(translateKey(trees, 'pl', 'a'))).toBe('A')
    expect(esc(translateKey(trees, 'pl', 'a', { fallback: false, default: 'D' }))).toBe('D')
    expect(esc(translateKey(trees, 'pl', 'a', { fallback: false }))).toBe('translation missing: pl.a')
    expect(esc(translateKey(trees, 'pl', 'nope', { default: 'D <%{n}>', n: '<b>' }))).toBe('D &lt;&lt;b&gt;&gt;')
    expect(esc(translateKey(trees, 'xx', 'c', { locale: 'pl' }))).toBe('C')
    expect(esc(translateKey(trees, 'en', 'b', { scope: 's', n: 1 }))).toBe('B 1')
    expect(esc(translateKey(trees, 'en', '<b>'))).toBe('translation missing: en.&lt;b&gt;')
    for (const hostile of ['__proto__', 'constructor', 's.constructor', '__proto__.toString', 'a.length'])
      expect(esc(translateKey(trees, 'en', hostile)), hostile).toBe(`translation missing: en.${hostile}`)
    expect(esc(translateKey(trees, '__proto__', 'a'))).toBe('A')
  })
})

describe('escaping', () => {
  const files = (safe: string) => ({
    main: "{{ 'hi' | t: name: name }}|{{ 'hi' | t_escape: name: name }}",
    'app/translations/en.yml': 'en:\n  hi: "<i>%{name}</i>"\n',
    'app/config.yml': safe,
  })
  const render = (config: string) => createEngine({ files: files(config) }).render('main', { name: '<b>' })

  it('arguments, and never the text of the translation', async () => {
    expect(await render('safe_translate: true\n')).toBe('<i>&lt;b&gt;</i>|<i>&lt;b&gt;</i>')
    expect(await render('safe_translate: false\n')).toBe('<i><b></i>|<i>&lt;b&gt;</i>')
  })
})
