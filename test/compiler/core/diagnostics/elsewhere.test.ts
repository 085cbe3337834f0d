/** Tags and filters of other Liquids: what is said of them, and that it holds. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { filterElsewhere, NAMES_ELSEWHERE, tagElsewhere } from '../../../../compiler/core/diagnostics/elsewhere.ts'
import { LANGUAGE } from '../../../../compiler/language/language.ts'
import type { Dialect } from '../../../../compiler/core/model/dialect.ts'
import { strayPartial } from '../../../../compiler/core/source/from-texts.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'

const DIALECTS: readonly Dialect[] = ['platform', 'liquid']

/** `code line:column hint` of each. */
function told(text: string, dialect: Dialect): readonly string[] {
  const options = { dialect, syntax: 'lax', keepGoing: false, openEntries: true } as const
  return compile([strayPartial('main', text)], options).diagnostics.map(({ code, span, hint = '' }) =>
    `${code} ${span.start} ${hint}`.trimEnd(),
  )
}

describe('a name of another Liquid', () => {
  it('is told of where it comes from, and what to write', () => {
    expect(told("{% section 'top' %}", 'platform')).toEqual([
      "unknown-tag 3 `section` is a tag of Shopify themes: it prints a section of the theme. Write `{% render '…' %}` with the name of its file.",
    ])
    expect(told('{{ 1 | money }}', 'platform')).toEqual([
      'unknown-filter 7 `money` is a filter of Shopify themes: it prints an amount as the shop writes it. Write `pricify_cents`.',
    ])
    expect(told('{{ 1 | jsonify }}', 'liquid')).toEqual([
      'unknown-filter 7 `jsonify` is a filter of liquidjs and Jekyll: it prints a value as JSON. The library takes it as a filter of your own: `filters` of `createEngine`.',
    ])
  })

  it('is none where the dialect has it', () => {
    expect(told('{{ x | json }}', 'platform')).toEqual([])
    expect(told('{{ x | json }}', 'liquid')).toHaveLength(1)
  })

  it('of the platform is told as such in base Liquid, and never suggested there', () => {
    expect(told('{% log 1 %}', 'liquid')).toEqual(["unknown-tag 3 `log` is a tag of the platform's dialect."])
    expect(told('{% sesion a = 1 %}', 'liquid')).toEqual(['unknown-tag 3'])
  })
})

describe('a block of another Liquid', () => {
  it.each(DIALECTS)('whose body is no Liquid is one diagnostic (%s)', (dialect) => {
    const schema =
      '{% schema %}\n{ "a": "{{ b | nope }}", {{ "c": %} {% if %}\n{% endif %}{% end %} }\n{% endschema %}\n'
    expect(told(schema, dialect)).toHaveLength(1)
    expect(
      told(`${schema}{{ 1 | nope }}\n${schema}`, dialect)
        .map((each) => each.split(' ')[0])
        .sort(),
    ).toEqual(
      dialect === 'platform'
        ? ['unknown-filter', 'unknown-tag', 'unknown-tag']
        : // The reference reads no further than the first error.
          ['unknown-tag', 'unknown-tag'],
    )
  })

  it('keeps its body, which is checked where it stands', () => {
    expect(
      told('{% paginate a by 2 %}\n{{ 1 | upcas }}{% else %}{{ 2 | upcas }}{% endpaginate %}', 'platform'),
    ).toEqual([
      expect.stringContaining('unknown-tag 3 `paginate` is a tag of Shopify themes'),
      'unknown-filter 29 Did you mean `upcase`?',
      'unknown-filter 54 Did you mean `upcase`?',
    ])
  })
})

describe('the table', () => {
  const entries = [
    ...NAMES_ELSEWHERE.tags.map((name) => ['tag', name, tagElsewhere(name)] as const),
    ...NAMES_ELSEWHERE.filters.map((name) => ['filter', name, filterElsewhere(name)] as const),
  ]

  it.each(entries)('has the %s %s where a dialect lacks it', (kind, name) => {
    const lacks = DIALECTS.filter((dialect) => {
      const tag = LANGUAGE.tagsByName.get(name)
      return kind === 'filter'
        ? !filterTable(dialect).has(name)
        : tag === undefined || (tag.platform && dialect === 'liquid')
    })
    expect(lacks).not.toEqual([])
  })

  it.each(entries)('offers for the %s %s what the dialect has', (_kind, name, entry) => {
    for (const dialect of DIALECTS) {
      const offered = [...(entry?.instead[dialect] ?? '').matchAll(/Write `([^<][^`]*)`/g)].map(([, code = '']) => code)
      for (const code of offered) {
        const text = code.startsWith('{%') ? code.replaceAll('…', 'x') : `{{ x | ${code} }}`
        const unknown = told(text, dialect).filter((each) => /^unknown-(?:tag|filter) /.test(each))
        expect(unknown, `${name}: ${code}`).toEqual([])
      }
    }
  })
})
