/** A line that is added at the top of a file changes nothing that is kept about other files, and moves the places that are shown. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { Memory, type Query } from '../../../../compiler/core/model/memo.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { checkFiles, type Files } from '../../../support/compiler/check.ts'

const [FORM, TABLE, QUERY, MAKE, CARD, ROW, TRANSLATION] = [
  'app/forms/book.liquid',
  'app/schema/book.yml',
  'app/graphql/books.graphql',
  'app/lib/make.liquid',
  'app/views/partials/card.liquid',
  'app/views/partials/row.liquid',
  'app/translations/en.yml',
]

const SITE: Files = {
  'app/views/pages/index.liquid': `{% graphql found = 'books', size: 1, page: 2 %}{% assign one = found.records.results.first %}
{% function made = 'make', n: one.title, more: one.missing %}{{ made.absent }}{% print made.html %}
{% render 'row', one: one, made: made, table: one.properties %}
{% render 'card', size: 'large' %}{% render 'leaf' %}{% render 'make' %}{{ 'home.title' | t: name: 1 }}
{% assign own = { "a": { "b": 1 } } %}{% render 'deep', own: own %}`,
  'app/views/pages/inline.liquid': `{% graphql own %}query { records(per_page: 2) { results { id } } }{% endgraphql %}
{% render 'row', one: own.records.results.first, made: nil, table: nil %}{% include_form 'book' %}`,
  'app/views/pages/save.liquid': `---\nslug: save\nmethod: post\n---\n{% include 'leaf' %}{{ context.params.q }}`,
  [FORM]: `---\nname: book\nresource: book\nfields:\n  properties:\n    title:\n---
{% form %}{% render 'fields', form: form %}<input name="form[properties_attributes][title]">{% endform %}`,
  'app/views/partials/fields.liquid': `{{ form.fields.properties.titel.name }}`,
  [TABLE]: `name: book\nproperties:\n  - name: title\n    type: string\n`,
  [QUERY]: `query books($size: Int) {
  records(per_page: $size, filter: { table: { value: "book" } }) { results { id title: property(name: "title") properties } }
}\n`,
  [MAKE]: `{% if n %}{% return nil %}{% endif %}{% assign o = { "title": n, "html": context.params.html } %}{% return o %}`,
  [CARD]: `{% doc %}\n  @param {number} size - the size\n  @param {string} text - the text\n{% enddoc %}{{ text }}{{ size }}`,
  [ROW]: `{{ one.titel }}{{ one.title | upcase }}{{ made.titel }}{{ table.titel }}`,
  'app/views/partials/deep.liquid': `{{ own.a.c }}{{ own.z }}`,
  'app/views/partials/leaf.liquid': `{{ needed | upcase }}`,
  [TRANSLATION]: `en:\n  home:\n    title: a title\n`,
}

/** Returns the text with a comment in its first line, or below the opening line of its front matter. */
function withLine(path: string, comment = 'a comment'): string {
  const text = SITE[path] ?? ''
  if (text.startsWith('---\n')) return text.replace('---\n', `---\n# ${comment}\n`)
  return path.endsWith('.liquid') ? `{% comment %}${comment}{% endcomment %}\n${text}` : `# ${comment}\n${text}`
}

/** The templates without front matter. */
const TEMPLATES = Object.keys(SITE).filter(
  (path) => path.endsWith('.liquid') && SITE[path]?.startsWith('---') === false,
)

/** Words that name places of the site. */
const NAMING = '{ { needed } } context.params.html {% return nil %} title properties fields books @param'

/** Returns a text that is equal for equal data. */
function digest(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (each instanceof Set || each instanceof Map ? [...each] : each))
}

/** Returns what is kept about each template outside of a file: its facts and its signature, by path. */
function keptOutside(edited: string, { factsOf, signature }: ReturnType<typeof checkFiles>): Record<string, string> {
  const others = Object.keys(SITE).filter((path) => path !== edited && path.endsWith('.liquid'))
  return Object.fromEntries(others.map((path) => [path, digest([factsOf(path), signature(path)])]))
}

function sourcesOf(files: Files): readonly SourceFile[] {
  return Object.entries(files).map(([path, text]) => {
    const kind = classify(path)
    if (kind === null || 'reason' in kind) throw new Error(`${path} is not a file of a site`)
    return { path, text, ...kind }
  })
}

/** Lists what is kept about each file, and the templates that were checked. */
class ListingMemory extends Memory {
  readonly #kept = new Map<string, { readonly file: string; readonly value: unknown }>()
  readonly checked = new Set<string>()

  override once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value {
    return this.#keep(kind, key, super.once(kind, key, inputs, make))
  }

  override query<Kind extends string, Value>(query: Query<Kind, Value>): Value {
    const { name, key } = query
    const value = super.query({
      ...query,
      make: (record) => {
        if (name === 'check') this.checked.add(key)
        return query.make(record)
      },
    })
    return this.#keep(name, key, value)
  }

  #keep<Value>(kind: string, key: string, value: Value): Value {
    const file = key === 'books' ? QUERY : key.replace(/[#: ].*/, '')
    if (file !== '') this.#kept.set(`${kind} ${key}`, { file, value })
    return value
  }

  *kept(): Generator<{ readonly name: string; readonly file: string; readonly value: unknown }> {
    for (const [name, { file, value }] of this.#kept) yield { name, file, value }
  }
}

/** Returns the spans in a value that count from the start of another file. The start of a file itself is not an offset. */
function offsetsElsewhere(value: unknown, file: string, seen = new Set<unknown>()): readonly object[] {
  if (typeof value === 'function' && value.name === 'printed') return offsetsElsewhere(value(), file, seen)
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if ('file' in value && 'start' in value && 'end' in value)
    return value.file === file || value.end === 0 || 'mark' in value ? [] : [value]
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value)
  return parts.flatMap((part) => offsetsElsewhere(part, file, seen))
}

const OPTIONS = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const

/** The templates that are checked again after an edit of a file that is not a template. */
const CHECKED_AGAIN: Readonly<Record<string, readonly string[]>> = {
  [TABLE]: [],
  [QUERY]: ['app/views/pages/index.liquid'],
}

describe('a line that is added at the top of', () => {
  it.each(Object.keys(SITE))('%s', (path) => {
    const edited = { ...SITE, [path]: withLine(path) }
    const memo = new Memory()
    const before = keptOutside(path, checkFiles(SITE, { memo }))
    const after = checkFiles(edited, { memo })
    expect(keptOutside(path, after)).toEqual(before)
    expect(after.diagnostics).toEqual(checkFiles(edited).diagnostics)
  })

  it.each(Object.keys(SITE))('%s is the only change for a whole compilation', (path) => {
    const edited = sourcesOf({ ...SITE, [path]: withLine(path) })
    const memo = new ListingMemory()
    compile(sourcesOf(SITE), OPTIONS, memo)
    memo.checked.clear()
    expect(compile(edited, OPTIONS, memo).diagnostics).toEqual(compile(edited, OPTIONS).diagnostics)
    if (path !== TRANSLATION) expect([...memo.checked]).toEqual(CHECKED_AGAIN[path] ?? [path])
  })
})

describe('diagnostics are those of a compilation without a cache', () => {
  const differences = (memo: Memory, files: Files): readonly unknown[] => {
    const expected = new Set(compile(sourcesOf(files), OPTIONS).diagnostics.map(digest))
    return compile(sourcesOf(files), OPTIONS, memo).diagnostics.filter((each) => !expected.delete(digest(each)))
  }

  it.each(['a comment', NAMING, 'needed - optional'])('after a line in one file after the other: %s', (comment) => {
    const memo = new Memory()
    compile(sourcesOf(SITE), OPTIONS, memo)
    for (const path of Object.keys(SITE))
      expect(differences(memo, { ...SITE, [path]: withLine(path, comment) }), path).toEqual([])
    for (const path of TEMPLATES) {
      const text = `${SITE[path] ?? ''}\n{% comment %}${comment}{% endcomment %}`
      expect(differences(memo, { ...SITE, [path]: text }), path).toEqual([])
    }
  })

  it('after edits that change the number of words before a place, but not its offset', () => {
    const memo = new Memory()
    for (const words of ['{{ a }}', 'a { b c', '{{ e }}', 'needed.']) {
      const edited = TEMPLATES.map((path) => [path, `${words}\n${SITE[path] ?? ''}`] as const)
      expect(differences(memo, { ...SITE, ...Object.fromEntries(edited) }), words).toEqual([])
      for (const [path, text] of edited) expect(differences(memo, { ...SITE, [path]: text }), path).toEqual([])
    }
  })

  it.each(['a comment', NAMING])('after a line in all templates without front matter at once: %s', (comment) => {
    const memo = new Memory()
    compile(sourcesOf(SITE), OPTIONS, memo)
    const edited = Object.fromEntries(TEMPLATES.map((path) => [path, withLine(path, comment)]))
    expect(differences(memo, { ...SITE, ...edited })).toEqual([])
    expect(differences(memo, SITE)).toEqual([])
  })
})

it('nothing that is kept about a file has an offset in another file', () => {
  const memo = new ListingMemory()
  checkFiles(SITE, { memo })
  const kept = [...memo.kept()]
  const kinds = new Set(kept.map(({ name }) => name.replace(/ .*/, '')))
  for (const kind of ['check', 'operation', 'passed', 'query', 'taint']) expect(kinds).toContain(kind)
  const found = kept.flatMap(({ name, file, value }) => offsetsElsewhere(value, file).map((span) => [name, span]))
  expect(found).toEqual([])
})

it('diagnostics show places in each kind of other file', () => {
  const shown = checkFiles(SITE).diagnostics.flatMap(({ span, related }) =>
    related.flatMap((each) => (each.span.file === span.file ? [] : [each.span.file])),
  )
  for (const file of [FORM, TABLE, QUERY, MAKE, CARD, TRANSLATION]) expect(shown).toContain(file)
  const codes = checkFiles(SITE).diagnostics.map(({ code }) => code)
  for (const code of ['unescaped-input', 'field-not-selected', 'nil-result', 'dropped-return', 'missing-argument'])
    expect(codes).toContain(code)
})
