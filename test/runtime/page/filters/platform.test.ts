/** Filters of the platform beyond their published examples. */
import { describe, expect, it } from 'vitest'
import { array_add } from '../../../../runtime/page/filters/array/array_add.ts'
import { array_group_by } from '../../../../runtime/page/filters/array/array_group_by.ts'
import { array_select } from '../../../../runtime/page/filters/array/array_select.ts'
import { html_safe } from '../../../../runtime/page/filters/data/html_safe.ts'
import { json } from '../../../../runtime/page/filters/data/json.ts'
import { parse_json } from '../../../../runtime/page/filters/data/parse_json.ts'
import { random_string } from '../../../../runtime/page/filters/data/random_string.ts'
import { to_time } from '../../../../runtime/page/filters/date/to_time.ts'
import { hash_delete_key } from '../../../../runtime/page/filters/hash/hash_delete_key.ts'
import { hash_dig } from '../../../../runtime/page/filters/hash/hash_dig.ts'
import { hash_merge } from '../../../../runtime/page/filters/hash/hash_merge.ts'
import { escape as escapeFilter } from '../../../../runtime/page/filters/text/escape.ts'
import { l } from '../../../../runtime/page/filters/translation/l.ts'
import { t } from '../../../../runtime/page/filters/translation/t.ts'
import { t_escape } from '../../../../runtime/page/filters/translation/t_escape.ts'
import { extract_url_params } from '../../../../runtime/page/filters/web/extract_url_params.ts'
import { markdown } from '../../../../runtime/page/filters/web/markdown.ts'
import { sanitize } from '../../../../runtime/page/filters/web/sanitize.ts'
import { keys } from '../../../../runtime/page/values/access.ts'
import { esc, plain, Safe, str } from '../../../../runtime/page/values/text.ts'
import { createRender } from './evaluator.ts'

const translations = {
  en: {
    hi: 'Hello %{name}!',
    plain: '<b>Hi</b>',
    literal: '100% %%{name}',
    list: ['a', 'b'],
    x: { one: 'One', other: '%{count} things', zero: 'None' },
    only: { en: 'English' },
    'modules/shop': { cart: { title: 'Cart' } },
    time: { formats: { short: '%-H:%M' } },
  },
  pl: {
    hi: 'Cześć %{name}!',
    x: { one: 'rzecz', few: '%{count} rzeczy', many: '%{count} rzeczy!', other: '%{count} rzeczy?' },
    date: { abbr_months: [null, ...'sty lut mar kwi maj cze lip sie wrz paź lis gru'.split(' ')] },
  },
}

const r = createRender({ $i18n: translations, $now: '2024-02-05T12:00:00Z' })

describe('t', () => {
  it('inserts escaped arguments; the translation itself is safe', () => {
    expect(esc(t(r, 'hi', { name: '<Mike>' }))).toBe('Hello &lt;Mike&gt;!')
    expect(esc(t(r, 'hi', { name: new Safe('<i>') }))).toBe('Hello <i>!')
    expect(esc(t(r, 'plain'))).toBe('<b>Hi</b>')
    expect(esc(t(r, 'hi'))).toBe('Hello %{name}!')
    expect(str(t(r, 'literal', { name: 'x' }))).toBe('100% %{name}')
    expect(t(r, 'hi', { name: '%{name}' })).toEqual(new Safe('Hello %{name}!'))
  })

  it('escapes nothing where the site says so, but t_escape does', () => {
    const raw = createRender({ $i18n: translations }, { safeTranslate: false })
    expect(esc(t(raw, 'hi', { name: '<b>' }))).toBe('Hello <b>!')
    expect(esc(t_escape(raw, 'hi', { name: '<b>' }))).toBe('Hello &lt;b&gt;!')
  })

  it('picks the plural of the locale', () => {
    expect([0, 1, 12].map((count) => str(t(r, 'x', { count })))).toEqual(['None', 'One', '12 things'])
    expect([1, 3, 5].map((count) => str(t(r, 'x', { count, locale: 'pl' })))).toEqual([
      'rzecz',
      '3 rzeczy',
      '5 rzeczy!',
    ])
  })

  it('looks up a missing key in English, then uses the default, then reports the missing key', () => {
    expect(str(t(r, 'only.en', { locale: 'pl' }))).toBe('English')
    expect(str(t(r, 'only.en', { locale: 'pl', fallback: false }))).toBe('translation missing: pl.only.en')
    expect(t(r, 'none', { default: 'D' })).toBe('D')
    expect(esc(t(r, '<none>'))).toBe('translation missing: en.&lt;none&gt;')
    for (const key of ['constructor', '__proto__', 'x.constructor', 'hi.length', '', '.']) {
      expect(str(t(r, key))).toBe(`translation missing: en.${key}`)
    }
  })

  it('reaches modules, scopes, lists and maps', () => {
    expect(str(t(r, 'modules/shop/cart.title'))).toBe('Cart')
    expect(str(t(r, 'en', { scope: 'only' }))).toBe('English')
    expect(t(r, 'list')).toEqual(['a', 'b'])
    expect(t(r, 'x')).toEqual(translations.en.x)
  })
})

describe('l', () => {
  it('accepts named formats and literal ones', () => {
    const time = to_time(r, '2010-03-01 00:05')
    expect(l(r, time, 'short')).toBe('0:05')
    expect(l(r, time)).toBe('Mon, 03/01/2010 00:05')
    expect(l(r, time, '%Y')).toBe('2010')
    expect(l(r, null)).toBeNull()
    expect(l(r, time, 'nope')).toBe('translation missing: en.time.formats.nope')
    expect(() => l(r, 1.5)).toThrow('l filter')
  })

  it('prints the names of the locale', () => {
    const polish = createRender({ $i18n: translations })
    polish.context.language = 'pl'
    expect(l(polish, '2010-03-01', 'day_and_month')).toBe('mar 01')
    expect(l(polish, '2010-10-01', 'day_and_month')).toBe('paź 01')
  })
})

describe('data', () => {
  it('html_safe decodes entities and keeps JSON out of the reach of HTML', () => {
    expect(esc(html_safe('&lt;b&gt; &amp;lt; &#39;&#x27; &bogus; &#xd800;'))).toBe("<b> &lt; '' &bogus; &#xd800;")
    expect(esc(html_safe(json('</script>')))).toBe('"\\u003c/script\\u003e"')
    expect(plain(html_safe(json('</script>')))).toBe('"</script>"')
    expect(esc(escapeFilter(new Safe('<b>')))).toBe('<b>')
  })

  it('parse_json decodes entities, blank text is nil', () => {
    expect(parse_json('{&quot;a&quot;:1}')).toEqual({ a: 1 })
    expect(parse_json('  ')).toBeNull()
    expect(parse_json(json({ a: '<' }))).toEqual({ a: '<' })
    const hash = { a: 1 }
    expect(parse_json(hash)).toBe(hash)
  })

  it('random_string has the length that it is asked for', () => {
    expect(random_string(r, 40)).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(random_string(r)).toHaveLength(12)
    expect(() => random_string(r, 'x')).toThrow('random_string filter - length must be an integer')
    expect(() => random_string(r, 1e9)).toThrow('random_string filter')
    expect(random_string(r, 1)).toMatch(/^[A-Za-z0-9]$/)
  })

  it('random_string passes rules for passwords from eight signs on', () => {
    for (let n = 0; n < 500; n++) {
      const text = random_string(r, 8 + (n % 5))
      for (const kind of [/[A-Z]/, /[a-z]/, /\d/]) expect(text).toMatch(kind)
    }
  })

  it('random_string ends when the source returns the same bytes forever', () => {
    const random = { ...r.services.random, bytes: (count: number) => new Uint8Array(count) }
    const broken = Object.create(r, { services: { value: { ...r.services, random } } }) as typeof r
    expect(random_string(broken, 12)).toBe('A'.repeat(12))
  })
})

describe('arrays and hashes', () => {
  it('do not change their arguments', () => {
    const list = [1]
    expect(array_add(list, 2)).toEqual([1, 2])
    expect(list).toEqual([1])
    const hash = { a: 1 }
    expect(hash_merge(hash, { b: 2 })).toEqual({ a: 1, b: 2 })
    expect(hash).toEqual({ a: 1 })
  })

  it('hash_delete_key does', () => {
    const hash = { a: 1 }
    expect(hash_delete_key(hash, 'a')).toBe(1)
    expect(hash).toEqual({})
  })

  it('reject other types with the messages of the platform', () => {
    expect(() => array_add('x', 1)).toThrow('array_add filter - first argument must be an array')
    expect(() => hash_delete_key([], 'a')).toThrow('hash_delete_key filter - first argument must be a hash')
    expect(() => array_select([1], 'x')).toThrow('array_select filter - conditions must be a hash')
  })

  it('group by keys in the order in which they appear', () => {
    const groups = array_group_by([{ k: 'b' }, { k: '1' }, { k: 'b' }, { k: '__proto__' }], 'k')
    expect(keys(groups)).toEqual(['b', '1', '__proto__'])
  })

  it('hash_dig accepts its path as arguments or as a list', () => {
    expect(hash_dig({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1)
    expect(hash_dig({ a: [{ b: 1 }] }, ['a', 0], 'b')).toBe(1)
    expect(hash_dig({ a: 'text' }, 'a', 'size')).toBeNull()
  })
})

describe('HTML', () => {
  it('sanitize keeps the elements that the list allows', () => {
    expect(str(sanitize('<p onclick="x()">a<img src="javascript:x()"><a href="tel:1">b</a></p>'))).toBe(
      '<p>a<img /><a href="tel:1" rel="nofollow">b</a></p>',
    )
    for (const href of ['java\nscript:x()', ' javascript:x()', 'JaVaScRiPt:x()', 'data:text/html,x', 'vbscript:x']) {
      expect(str(sanitize(`<a href="${href}">L</a>`))).toBe('<a rel="nofollow">L</a>')
    }
    expect(str(sanitize('<svg><script>x</script></svg><style>y</style><iframe src=x></iframe>'))).toBe('')
    expect(
      str(
        sanitize('<div onclick="x" class="c">F</div>', {
          elements: ['div'],
          attributes: { div: ['class', 'onclick'] },
        }),
      ),
    ).toBe('<div class="c">F</div>')
  })

  it('markdown is sanitized', () => {
    expect(str(markdown('# Hi\n\n<script>x</script>\n\n[a](javascript:x) **b**')).trim()).toBe(
      '<h1>Hi</h1>\n\n<p>[a](javascript:x) <strong>b</strong></p>',
    )
    expect(str(markdown('**b**', { elements: ['p'] })).trim()).toBe('<p>b</p>')
    expect(str(markdown('[a](https://x.y)', null, { add_attributes: null })).trim()).toBe(
      '<p><a href="https://x.y">a</a></p>',
    )
  })
})

describe('URLs', () => {
  it('a template accepts lists of segments', () => {
    expect(extract_url_params('/a/b/c', '/a{/rest*}')).toEqual({ rest: ['b', 'c'] })
    expect(extract_url_params('/x', ['/a/{b}', '/{c}'])).toEqual({ c: 'x' })
    expect(extract_url_params('/x/y', '/{c}')).toBeNull()
  })
})
