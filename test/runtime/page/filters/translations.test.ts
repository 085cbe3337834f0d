/** Translations: plurals of any language, fallbacks, and what is escaped. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { esc } from '../../../../runtime/page/values/text.ts'
import { filterNamed, renderFor } from './evaluator.ts'

const FORMS = { zero: 'Z', one: '1', two: '2', few: 'F', many: 'M', other: 'O' }

function translated(trees: Record<string, unknown>, locale: string, key: string, options: unknown = null): unknown {
  const r = renderFor({ $i18n: trees })
  r.context.language = locale
  return filterNamed('t')?.run(r, key, options)
}

const counted = (locale: string, forms: Record<string, string>, count: unknown): string =>
  esc(translated({ [locale]: { x: forms } }, locale, 'x', { count }))

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
    expect(counts.map((count) => counted(locale, FORMS, count)).join('')).toBe(expected)
  })

  it('take zero for nought where there is one, else what the language says', () => {
    expect(counted('en', FORMS, 0)).toBe('Z')
    expect(counted('en', { one: '1', other: 'O' }, 0)).toBe('O')
    expect(counted('fr', { one: '1', other: 'O' }, 0)).toBe('1')
    expect(counted('lv', { zero: 'Z', one: '1', other: 'O' }, 10)).toBe('Z')
  })

  it('make do with the forms that there are', () => {
    expect(counted('pl', { one: '1', other: 'O' }, 3)).toBe('O')
    expect(counted('pl', { one: '1' }, 3)).toBe('1')
    // Japanese has one form, but this translation has two.
    expect(counted('ja', { one: '1', other: 'O' }, 1)).toBe('1')
    expect(counted('ja', { other: 'O' }, 1)).toBe('O')
    // No language.
    expect(counted('jp', { one: '1', other: 'O' }, 1)).toBe('1')
    expect(counted('not a language', { one: '1', other: 'O' }, 2)).toBe('O')
  })

  it('read counts from text, and fill them in', () => {
    expect(counted('en', { one: '%{count} item', other: '%{count} items' }, '1')).toBe('1 item')
    expect(counted('en', { one: '%{count} item', other: '%{count} items' }, '12')).toBe('12 items')
    expect(counted('en', { other: '%{count}' }, '<b>')).toBe('&lt;b&gt;')
  })
})

describe('a missing translation', () => {
  const trees = { en: { a: 'A', s: { b: 'B %{n}' } }, pl: { c: 'C' } }

  it('is English, unless that is refused, then the default, then a text that says so', () => {
    expect(esc(translated(trees, 'pl', 'a'))).toBe('A')
    expect(esc(translated(trees, 'pl', 'a', { fallback: false, default: 'D' }))).toBe('D')
    expect(esc(translated(trees, 'pl', 'a', { fallback: false }))).toBe('translation missing: pl.a')
    expect(esc(translated(trees, 'pl', 'nope', { default: 'D <%{n}>', n: '<b>' }))).toBe('D &lt;&lt;b&gt;&gt;')
    expect(esc(translated(trees, 'xx', 'c', { locale: 'pl' }))).toBe('C')
    expect(esc(translated(trees, 'en', 'b', { scope: 's', n: 1 }))).toBe('B 1')
    expect(esc(translated(trees, 'en', '<b>'))).toBe('translation missing: en.&lt;b&gt;')
    for (const hostile of ['__proto__', 'constructor', 's.constructor', '__proto__.toString', 'a.length'])
      expect(esc(translated(trees, 'en', hostile)), hostile).toBe(`translation missing: en.${hostile}`)
    expect(esc(translated(trees, '__proto__', 'a'))).toBe('A')
  })
})

describe('what is escaped', () => {
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
