/** A check with a cache gives the same findings as a check without it, after any edits. */
import { describe, expect, it } from 'vitest'
import { Memory, type Query } from '../../../../compiler/core/model/memo.ts'
import { checkFiles, type Files } from '../../../support/compiler/check.ts'

const SITE: Files = {
  'app/views/pages/index.liquid': `{% function r = 'make', n: 1 %}{% render 'card', title: r.title, size: 2 %}{{ 'a.b' | t }}`,
  'app/views/pages/about.liquid': `{% assign x = 'y' %}{% include 'part' %}{{ x }}`,
  'app/views/partials/card.liquid': `{% doc %}\n @param {string} title - a\n @param {number} [size] - b\n{% enddoc %}{{ title }}{{ size }}`,
  'app/views/partials/part.liquid': `{% assign x = 'z' %}{{ x }}{% render 'leaf', a: x %}`,
  'app/views/partials/leaf.liquid': `{% if a == 1 %}y{% endif %}`,
  'app/lib/make.liquid': `{% assign o = { "title": "a", "n": n } %}{% return o %}`,
  'app/translations/en.yml': 'en:\n  a:\n    b: x\n',
  'app/views/pages/outer.liquid': `{% capture text %}{% render 'middle', q: context.params.q %}{% endcapture %}<script>a = '{% print text %}'</script>`,
  'app/views/partials/middle.liquid': `{% render 'inner', q: q %}`,
  'app/views/partials/inner.liquid': `{{ q | escape_javascript }}`,
}

/** Each edit changes one file; null removes it. */
const EDITS: readonly (readonly [path: string, text: string | null])[] = [
  ['app/lib/make.liquid', `{% assign o = { "name": "a" } %}{% return o %}`],
  ['app/views/partials/card.liquid', `{% doc %}\n @param {number} title - a\n{% enddoc %}{{ title }}`],
  ['app/views/partials/leaf.liquid', `\n\n{{ a }}{{ b }}`],
  ['app/views/partials/part.liquid', `{% render 'leaf', a: 1, b: 2 %}{{ x }}`],
  ['app/lib/make.liquid', `{% return 'text' %}`],
  ['app/translations/en.yml', 'en:\n  a:\n    c: x\n'],
  ['app/views/partials/leaf.liquid', null],
  ['app/views/pages/about.liquid', `{% include context.params.p %}`],
  ['app/views/partials/leaf.liquid', `{% if a == 'x' %}y{% endif %}`],
  ['app/views/pages/about.liquid', `{% render 'leaf', a: 1 %}{% session n = 1 %}`],
  ['app/views/pages/index.liquid', `{% if context.session.n == 'x' %}y{% endif %}`],
  ['app/views/pages/about.liquid', `{% render 'leaf', a: 1 %}{% session n = 'y' %}`],
  // These edits change nothing for other templates except the place of the partial, which some diagnostics show.
  ['app/views/partials/leaf.liquid', `{{ a | upcase }}`],
  ['app/views/pages/about.liquid', `{% render 'leaf' %}`],
  ['app/views/partials/leaf.liquid', `<p>moved</p>\n{{ a | upcase }}`],
  ['app/views/pages/about.liquid', `<p>moved</p>\n{% render 'leaf' %}`],
  ['app/views/pages/about.liquid', `<p>moved</p>\n{% render 'leaf' %}{% session n = 1 %}`],
  ['app/views/partials/leaf.liquid', `<p>moved</p>\n{{ a | downcase }}{{ a | wrong }}`],
  ['app/views/partials/card.liquid', `{% doc %}\n @param {number} title - a\n{% enddoc %}<b>{{ title }}</b>`],
  ['app/views/partials/card.liquid', `\n{% doc %}\n @param {number} title - a\n{% enddoc %}<b>{{ title }}</b>`],
  // The output of a callee of a callee is captured.
  ['app/views/partials/inner.liquid', `{{ q }}`],
  ['app/views/partials/inner.liquid', `{{ q | escape_javascript }}`],
  // The number of occurrences decides which of two spellings is the mistake.
  ['app/views/partials/part.liquid', `{% assign total = 1 %}{{ totla }}{% render 'leaf', a: total %}`],
  ['app/views/pages/about.liquid', `{% render 'part', kind: 1 %}{% render 'leaf', a: 1 %}`],
  ['app/views/partials/part.liquid', `{{ kind }}{{ kinb }}`],
  ['app/views/pages/about.liquid', `kinb kinb kinb {% render 'part', kind: 1 %}{% render 'leaf', a: 1 %}`],
]

describe('remembering', () => {
  it('changes nothing that is found', () => {
    const memo = new Memory()
    const files: Record<string, string> = { ...SITE }
    const compare = () => expect(checkFiles(files, { memo }).diagnostics).toEqual(checkFiles(files).diagnostics)
    compare()
    for (const [path, text] of EDITS) {
      if (text === null) delete files[path]
      else files[path] = text
      compare()
      compare()
    }
  })

  it('checks again the edited template and its callers, and nothing when the edit is taken back', () => {
    const memo = new CountingMemory()
    checkFiles(SITE, { memo })
    const leaf = 'app/views/partials/leaf.liquid'
    const checkedWith = (files: Files): readonly string[] => {
      memo.checked.clear()
      checkFiles(files, { memo })
      return [...memo.checked].toSorted()
    }
    expect(checkedWith(SITE)).toEqual([])
    expect(checkedWith({ ...SITE, [leaf]: `{{ a }}{{ b }}` })).toEqual([leaf, 'app/views/partials/part.liquid'])
    expect(checkedWith(SITE)).toEqual([])
  })

  it('checks again the edited template alone where its callers see nothing of the edit', () => {
    const memo = new CountingMemory()
    checkFiles(SITE, { memo })
    const leaf = 'app/views/partials/leaf.liquid'
    const checkedWith = (text: string): readonly string[] => {
      memo.checked.clear()
      checkFiles({ ...SITE, [leaf]: text }, { memo })
      return [...memo.checked]
    }
    expect(checkedWith(`{% if a == 2 %}n{% endif %}`)).toEqual([leaf])
    expect(checkedWith(`<p>{% if a == 3 %}n{% endif %}</p>`)).toEqual([leaf])
    expect(checkedWith(`{% if a == 2 %}n{% endif %}`)).toEqual([])
  })
})

/** Records which templates were checked. */
class CountingMemory extends Memory {
  readonly checked = new Set<string>()

  override query<Kind extends string, Value>(query: Query<Kind, Value>): Value {
    const { name, key } = query
    return super.query({
      ...query,
      make: (record) => {
        if (name === 'check') this.checked.add(key)
        return query.make(record)
      },
    })
  }
}
