/** Hints for the tags and filters of other Liquid implementations: tests their texts, and that the suggested names exist. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import {
  findForeignFilter,
  FOREIGN_NAMES,
  findForeignTag,
} from '../../../../compiler/core/diagnostics/foreign-names.ts'
import { LANGUAGE } from '../../../../compiler/language/language.ts'
import type { Dialect } from '../../../../compiler/core/model/dialect.ts'
import { strayPartial } from '../../../../compiler/core/source/from-texts.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'

const DIALECTS: readonly Dialect[] = ['platform', 'liquid']

/** Returns `code offset hint` of each diagnostic. */
function check(text: string, dialect: Dialect): readonly string[] {
  const options = { dialect, syntax: 'lax', keepGoing: false, openEntries: true } as const
  return compile([strayPartial('main', text)], options).diagnostics.map(({ code, span, hint = '' }) =>
    `${code} ${span.start} ${hint}`.trimEnd(),
  )
}

describe('a name of another Liquid', () => {
  it('is reported with its origin and its replacement', () => {
    expect(check("{% section 'top' %}", 'platform')).toEqual([
      "unknown-tag 3 `section` is a tag of Shopify themes: it prints a section of the theme. Write `{% render '…' %}` with the name of the file.",
    ])
    expect(check('{{ 1 | money }}', 'platform')).toEqual([
      'unknown-filter 7 `money` is a filter of Shopify themes: it formats an amount of money. Write `pricify_cents`.',
    ])
    expect(check('{{ 1 | jsonify }}', 'liquid')).toEqual([
      'unknown-filter 7 `jsonify` is a filter of liquidjs and Jekyll: it prints a value as JSON. Add it as a custom filter with the option `filters` of `createEngine`.',
    ])
  })

  it('is not reported if the dialect has it', () => {
    expect(check('{{ x | json }}', 'platform')).toEqual([])
    expect(check('{{ x | json }}', 'liquid')).toHaveLength(1)
  })

  it('of the platform is reported as such in base Liquid, and is never suggested there', () => {
    expect(check('{% log 1 %}', 'liquid')).toEqual(["unknown-tag 3 `log` is a tag of the platform's dialect."])
    expect(check('{% sesion a = 1 %}', 'liquid')).toEqual(['unknown-tag 3'])
  })
})

describe('a block of another Liquid', () => {
  it.each(DIALECTS)('with a body that is not Liquid is one diagnostic (%s)', (dialect) => {
    const schema =
      '{% schema %}\n{ "a": "{{ b | nope }}", {{ "c": %} {% if %}\n{% endif %}{% end %} }\n{% endschema %}\n'
    expect(check(schema, dialect)).toHaveLength(1)
    expect(
      check(`${schema}{{ 1 | nope }}\n${schema}`, dialect)
        .map((each) => each.split(' ')[0])
        .sort(),
    ).toEqual(
      dialect === 'platform'
        ? ['unknown-filter', 'unknown-tag', 'unknown-tag']
        : // The reference implementation stops at the first error.
          ['unknown-tag', 'unknown-tag'],
    )
  })

  it('keeps its body, which is checked in place', () => {
    expect(
      check('{% paginate a by 2 %}\n{{ 1 | upcas }}{% else %}{{ 2 | upcas }}{% endpaginate %}', 'platform'),
    ).toEqual([
      expect.stringContaining('unknown-tag 3 `paginate` is a tag of Shopify themes'),
      'unknown-filter 29 Did you mean `upcase`?',
      'unknown-filter 54 Did you mean `upcase`?',
    ])
  })
})

describe('the table', () => {
  const entries = [
    ...FOREIGN_NAMES.tags.map((name) => ['tag', name, findForeignTag(name)] as const),
    ...FOREIGN_NAMES.filters.map((name) => ['filter', name, findForeignFilter(name)] as const),
  ]

  it.each(entries)('has the %s %s only if a dialect lacks it', (kind, name) => {
    const lacks = DIALECTS.filter((dialect) => {
      const tag = LANGUAGE.tagsByName.get(name)
      return kind === 'filter'
        ? !filterTable(dialect).has(name)
        : tag === undefined || (tag.platform && dialect === 'liquid')
    })
    expect(lacks).not.toEqual([])
  })

  it.each(entries)('suggests for the %s %s only names that the dialect has', (_kind, name, entry) => {
    for (const dialect of DIALECTS) {
      const suggested = [...(entry?.replacement[dialect] ?? '').matchAll(/Write `([^<][^`]*)`/g)].map(
        ([, code = '']) => code,
      )
      for (const code of suggested) {
        const text = code.startsWith('{%') ? code.replaceAll('…', 'x') : `{{ x | ${code} }}`
        const unknown = check(text, dialect).filter((each) => /^unknown-(?:tag|filter) /.test(each))
        expect(unknown, `${name}: ${code}`).toEqual([])
      }
    }
  })
})
