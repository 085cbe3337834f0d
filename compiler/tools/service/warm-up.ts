/** Compiles a sample site before the first request. The compiler is then loaded and mostly optimized when the first site arrives. */
import { type Compiled, compile, type CompileOptions } from '../../compile.ts'
import { crudFiles } from '../generate/crud.ts'
import { parseFields, parseTableName } from '../generate/names.ts'
import { LANGUAGE } from '../../language/language.ts'
import { Memory } from '../../core/model/memo.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { filesFromTexts } from '../../core/source/from-texts.ts'
import { newSite } from '../templates/templates.ts'

/** Tables for which the sample has pages, forms and queries. */
const TABLES = ['author', 'book', 'loan', 'review']
const FIELDS = ['title', 'price:integer', 'text:text', 'kept:boolean', 'since:date']

/** Markup that most templates contain. */
const PLAIN = `
{% liquid
  assign rows = 'a,b' | split: ','
  for row in rows
    if row == 'a' and forloop.first
      echo row | upcase
    elsif row contains 'b'
      print row
    endif
  endfor
%}
<a class="b" href="/x/{{ a | default: 1 }}">{{ b.c | escape }}</a>
`

let sample: readonly SourceFile[] | null = null

/** Returns a small site with most features: the examples of all tags, tables with their forms, pages and queries. */
function sampleFiles(): readonly SourceFile[] {
  const texts: Record<string, string> = { ...newSite() }
  for (const name of TABLES)
    for (const [path, text] of Object.entries(
      crudFiles(
        parseTableName(name),
        parseFields(FIELDS, () => 'title'),
        { policy: null },
      ),
    ))
      if (path.endsWith('.liquid') || texts[path] === undefined) texts[path] = text
  const examples = [...LANGUAGE.tags.values()].flatMap(({ docs }) => docs?.examples ?? [])
  for (const [at, { template }] of examples.entries())
    texts[`app/views/partials/sample/example${at}.liquid`] = template + PLAIN
  return filesFromTexts(texts, false)
}

const OPTIONS: CompileOptions = {
  dialect: 'platform',
  syntax: 'lax',
  keepGoing: true,
  openEntries: false,
  printAs: 'javascript',
}

/** Compiles the sample as a deployed site, and then with an edited template. That runs most of the compiler's code. */
export function compileSample(): Compiled {
  sample ??= sampleFiles()
  const memo = new Memory(1)
  const compiledSite = compile(sample, OPTIONS, memo)
  const edited = sample.find(({ kind }) => kind === 'partial')
  if (edited !== undefined) {
    const files = sample.map((file) => (file === edited ? { ...file, text: `${file.text} ` } : file))
    compile(files, { ...OPTIONS, checkedFiles: new Set([edited.path]) }, memo)
  }
  return compiledSite
}
