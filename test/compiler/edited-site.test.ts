/** Incremental compilation after many edits gives the same result as a full compilation. */
import { expect, test } from 'vitest'
import { type Compiled, type CompileOptions, compile, diagnose } from '../../compiler/compile.ts'
import type { Module } from '../../compiler/core/model/module.ts'
import { KeptTrees } from '../../compiler/core/model/kept-trees.ts'
import { Memory } from '../../compiler/core/model/memo.ts'
import type { SourceFile } from '../../compiler/core/source/file.ts'
import { classify } from '../../compiler/core/source/kinds.ts'

const OPTIONS: CompileOptions = {
  dialect: 'platform',
  syntax: 'lax',
  keepGoing: true,
  openEntries: false,
  printAs: 'javascript',
}

function file(path: string, text: string): SourceFile {
  const kind = classify(path)
  if (kind === null || 'reason' in kind) throw new Error(`${path} is no file of a site`)
  return { path, text, ...kind }
}

const [INDEX, ROW, SUM, LAYOUT, COUNT] = [
  'app/views/pages/index.liquid',
  'app/views/partials/row.liquid',
  'app/lib/sum.liquid',
  'app/views/layouts/application.liquid',
  'app/views/partials/count.liquid',
]

const SITE: Readonly<Record<string, string>> = {
  [INDEX]: "{% function total = 'sum', a: 1, b: 2 %}{% render 'row', name: 'x', total: total %}",
  [ROW]: '<li>{{ name }} {{ total | plus: 1 }}</li>',
  [SUM]: '{% assign sum = a | plus: b %}{% return sum %}',
  [LAYOUT]: '<main>{{ content_for_layout }}</main>',
  [COUNT]: "{% if n > 0 %}{{ n }}{% assign less = n | minus: 1 %}{% render 'count', n: less %}{% endif %}",
  'app/views/pages/other.liquid': "{% render 'row', name: 'y', total: 3 %}{% render 'count', n: 3 %}",
  'app/graphql/rows.graphql': 'query rows { records(per_page: 5) { results { id } } }',
  'app/translations/en.yml': 'en:\n  title: one\n',
}

/** Each edit is applied to the result of the previous one; null removes the file. */
const EDITS: readonly (readonly [path: string, text: string | null])[] = [
  // Printed text.
  [ROW, '<li class="a">{{ name }} {{ total | plus: 1 }}</li>'],
  [LAYOUT, '<main><b>{{ content_for_layout }}</b></main>'],
  // Parameters, results and arguments, and their types.
  [SUM, '{% assign sum = a | append: b %}{% return sum %}'],
  [ROW, '<li>{{ name | upcase }}</li>'],
  [INDEX, "{% function total = 'sum', a: 'x', b: 2 %}{% render 'row', name: 7, total: total %}"],
  [SUM, '{% assign sum = a | plus: c %}{% return sum %}'],
  [SUM, '{% return nil %}'],
  [ROW, "{% render 'count', n: total %}{{ name }}"],
  // Recursion.
  [COUNT, "{% if n > 1 %}{{ n }}!{% assign less = n | minus: 1 %}{% render 'count', n: less %}{% endif %}"],
  [COUNT, "{% render 'row', name: 'z', total: 0 %}"],
  [COUNT, '{{ n }}'],
  // Calls: by a computed name, with separate variables, deferred.
  [INDEX, "{% assign which = 'row' %}{% include which %}{% render 'row', name: 'x' %}"],
  [INDEX, "{% include 'row' %}{% background source_name: 'later' %}{% render 'count', n: 1 %}{% endbackground %}"],
  [INDEX, "{% graphql rows = 'rows' %}{{ rows.records.results[0].id }}"],
  // Variables of a template: shared with the templates that include it, not shared, and in a template that any other may include.
  [INDEX, "{% include 'row' %}{% render 'count', n: 1 %}"],
  [ROW, '{% assign size = 1 %}<li>{{ size }}{{ other }}</li>'],
  [ROW, '{% assign length = 1 %}<li>{{ size }}{{ length }}</li>'],
  [COUNT, '{% assign k = 1 %}{{ n }}{{ m }}{{ k }}'],
  [COUNT, '{% assign j = 1 %}{{ n }}{{ l }}{{ j }}'],
  [INDEX, "{% assign size = 2 %}{% include 'row' %}{{ size }}"],
  [INDEX, "{% assign which = 'row' %}{% include which %}"],
  [COUNT, "{% assign which = 'sum' %}{{ n }}{{ which }}"],
  [ROW, "{% assign name = 'x' %}{{ name }}{{ which }}"],
  // Callers omit arguments that a partial cannot see.
  [INDEX, "{% render 'count', n: 1, m: 2 %}"],
  [COUNT, '{% increment i %}{{ n }}'],
  [COUNT, '{% increment i %}{{ n }}{{ m }}'],
  [COUNT, '{% increment i %}{% if self %}{% endif %}{{ m }}'],
  [COUNT, '{% increment i %}{% assign own = 1 %}{{ own }}{{ m }}'],
  [COUNT, '{% increment i %}{% assign mine = 1 %}{{ mine }}{{ n }}'],
  [COUNT, '{{ n }}'],
  // Inline queries, whose positions change with the next edit.
  [
    INDEX,
    '{% graphql own %}query { records(per_page: 2) { results { id } } }{% endgraphql %}{{ own.records.results[0].id }}',
  ],
  [
    INDEX,
    'moved {% graphql own %}query { records(per_page: 2) { results { id } } }{% endgraphql %}{{ own.records.results[0].id }}',
  ],
  [INDEX, 'moved {% graphql own %}query { records(per_page: 2) { results { idd } } }{% endgraphql %}'],
  [INDEX, 'none any more'],
  // Documentation, and text that does not parse.
  [ROW, '{% doc %}\n  @param {string} name - of the row\n{% enddoc %}<li>{{ name }} {{ size }}</li>'],
  [ROW, '<li>{{ name }} {% if %}</li>'],
  [ROW, '<li>{{ name }} {{ total | plus: 1 }}</li>'],
  [LAYOUT, '---\nmetadata:\n  title: a\n---\n<main>{{ content_for_layout }}</main>'],
  [LAYOUT, '---\nmetadata:\n  title: a\n---\n<main>{{ content }}</main>'],
  // Front matter.
  [INDEX, '---\nslug: start\n---\nstart'],
  [INDEX, "---\nslug: start\nlayout: ''\nmetadata:\n  title: '{{ context.params.a }}'\n---\nstart"],
  ['app/translations/en.yml', 'en:\n  title: two\n'],
  ['app/graphql/rows.graphql', 'query rows($n: Int) { records(per_page: $n) { results { id created_at } } }'],
  // Added and removed files.
  ['app/views/partials/new.liquid', 'new {{ a }}'],
  [INDEX, "{% render 'new', a: 1 %}{% render 'none' %}"],
  ['app/views/partials/new.liquid', null],
  [SUM, null],
  // A partial that reads page data and may be included by a computed name, and another partial with a new call.
  [INDEX, "{% assign which = context.params.which %}{% include which %}{% render 'row' %}"],
  [ROW, '{{ current_user.name }}'],
  [COUNT, "{% render 'row' %}"],
  [INDEX, '{% if %}'],
  [INDEX, 'whole again'],
]

function modulesOf(modules: readonly Module[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    modules.map(({ path, body, imports, exports }) => [path, JSON.stringify([body.text, imports, exports])]),
  )
}

/** Full compilations of each site, cached for all tests. */
const known = new Map<string, Pick<Compiled, 'diagnostics' | 'modules'>>()

function compiledAnew(files: readonly SourceFile[]): Pick<Compiled, 'diagnostics' | 'modules'> {
  const key = JSON.stringify(files)
  const anew = known.get(key) ?? compile(files, OPTIONS)
  known.set(key, anew)
  return anew
}

/** Yields the files before the edits, and after each of them. */
function* afterEachEdit(): Generator<{
  readonly files: readonly SourceFile[]
  readonly path: string
  readonly name: string
}> {
  let files = Object.entries(SITE).map(([path, text]) => file(path, text))
  yield { files, path: INDEX, name: 'before all edits' }
  for (const [path, text] of EDITS) {
    const others = files.filter((each) => each.path !== path)
    files = text === null ? others : [...others, file(path, text)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
    yield { files, path, name: `${path}: ${text}` }
  }
}

test('its modules are the same', () => {
  const memory = new Memory()
  for (const { files, path, name } of afterEachEdit()) {
    const edited = compile(files, { ...OPTIONS, checkedFiles: new Set([path]) }, memory)
    expect(modulesOf(edited.modules), name).toEqual(modulesOf(compiledAnew(files).modules))
  }
})

test.each(['at once', 'when the file was checked alone before'])('so is what is said of it, %s', (when) => {
  const memory = new Memory()
  for (const { files, path, name } of afterEachEdit()) {
    if (when !== 'at once') compile(files, { ...OPTIONS, checkedFiles: new Set([path]) }, memory)
    const { diagnostics, modules } = compile(files, OPTIONS, memory)
    const anew = compiledAnew(files)
    expect(diagnostics, name).toEqual(anew.diagnostics)
    expect(modulesOf(modules), name).toEqual(modulesOf(anew.modules))
  }
})

test('dropped trees change nothing that is reported', () => {
  const trees = new KeptTrees()
  const memory = new Memory(2, trees)
  for (const { files, name } of afterEachEdit()) {
    expect(diagnose(files, OPTIONS, memory), name).toEqual(compiledAnew(files).diagnostics)
    trees.drop()
  }
})

test('where only bodies of templates change, the site around them is the one that was there', () => {
  const memory = new Memory()
  const files = Object.entries(SITE).map(([path, text]) => file(path, text))
  const { site } = compile(files, OPTIONS, memory)
  const after = (...texts: readonly (readonly [path: string, text: string])[]) => {
    const edits = new Map(texts)
    return compile(
      files.map((each) => (edits.has(each.path) ? file(each.path, edits.get(each.path)!) : each)),
      OPTIONS,
      memory,
    ).site
  }
  const edited = after([ROW, 'other'], [LAYOUT, 'other {{ content_for_layout }}'])
  expect(edited.structureVersion).toBe(site.structureVersion)
  expect(edited.byFile.get(INDEX)).toBe(site.byFile.get(INDEX))
  expect(edited.partials.get('row')).toBe(edited.byFile.get(ROW))
  expect(edited.partials.get('row')?.file.text).toBe('other')
  expect([...edited.pageLayouts.values()]).toContain(edited.byFile.get(LAYOUT))
  expect(after([INDEX, '---\nslug: start\n---\nstart']).structureVersion).not.toBe(site.structureVersion)
  expect(
    after(['app/graphql/rows.graphql', 'query rows { records(per_page: 6) { results { id } } }']).structureVersion,
  ).not.toBe(site.structureVersion)
})

test('errors that a changed file has by itself are told, and those of others are not', () => {
  const files = Object.entries(SITE).map(([path, text]) =>
    file(path, path === ROW ? '{{ name | no_such_filter }}' : text),
  )
  const about = (path: string) =>
    compile(files, { ...OPTIONS, checkedFiles: new Set([path]) }, new Memory()).diagnostics.map(({ code }) => code)
  expect(about(ROW)).toContain('unknown-filter')
  expect(about(INDEX)).not.toContain('unknown-filter')
})
