import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FIGURES, performancePage } from '../../../../compiler/tools/docs/performance.ts'
import { sizesPage } from '../../../../compiler/tools/docs/production.ts'
import { entryPage } from '../../../../compiler/tools/docs/html.ts'
import { entryText } from '../../../../compiler/tools/docs/markdown.ts'
import { keepFigures, machine } from '../../../bench/figures.mjs'

describe('the page that tells how fast it is', () => {
  it('has a table of each benchmark that was kept, with the machine and the day', () => {
    const page = entryPage(performancePage(), null, null)
    const text = entryText(performancePage())
    for (const { name, day, tables } of FIGURES) {
      expect(page).toContain(`<h2>${name}</h2>`)
      expect(text).toContain(`## ${name}`)
      expect(page).toContain(day)
      for (const { columnTitles: heads, rows } of tables) {
        expect(text).toContain(`| ${heads.join(' | ')} |`)
        for (const [first = ''] of rows) expect(text).toContain(`| ${first} |`)
      }
    }
    expect(page.match(/<table class="figures">/g)?.length ?? 0).toBe(FIGURES.flatMap(({ tables }) => tables).length)
  })
})

describe('the page about sizes', () => {
  const text = entryText(sizesPage())
  const names = [...text.matchAll(/npm run bench -- (\w+)/g)].map(([, name]) => name ?? '')

  it('names benchmarks that exist', () => {
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(existsSync(new URL(`../../../bench/${name}.bench.ts`, import.meta.url))).toBe(true)
  })

  it('shows the tables of the benchmarks that it names', () => {
    const shown = FIGURES.filter(({ name }) => names.includes(name))
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['rows', 'sites', 'processes', 'sockets']))
    for (const { tables } of shown)
      for (const { rows } of tables) for (const [first = ''] of rows) expect(text).toContain(`| ${first} |`)
  })
})

describe('what benchmarks print', () => {
  let root: string
  const kept = () => readFileSync(join(root, 'compiler/tools/docs/figures.generated.json'), 'utf8')
  const figures = (): readonly {
    readonly name: string
    readonly description: string
    readonly tables: readonly unknown[]
  }[] => JSON.parse(kept())

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ingot-figures-'))
    mkdirSync(join(root, 'compiler/tools/docs'), { recursive: true })
    writeFileSync(join(root, 'compiler/tools/docs/figures.generated.json'), '[]\n')
    writeFileSync(join(root, 'one.bench.ts'), '/**\n * Pages over HTTP:\n * what they cost.\n */\nimport {} from "x"\n')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const printed = (...tables: readonly object[]): string => {
    const path = join(root, 'printed.jsonl')
    writeFileSync(path, tables.map((each) => `${JSON.stringify(each)}\n`).join(''))
    return path
  }
  const table = (value: string) => ({ columnTitles: ['what', 'time'], rows: [['a page', value]] })

  it('is kept with what the benchmark says of itself, in the order of their names', () => {
    keepFigures(root, 'pages', join(root, 'one.bench.ts'), machine(), printed(table('1 ms'), table('2 ms')))
    keepFigures(root, 'jobs', join(root, 'one.bench.ts'), machine(), printed(table('3 ms')))
    expect(figures().map(({ name }) => name)).toEqual(['jobs', 'pages'])
    expect(figures()[1]).toMatchObject({
      description: 'Pages over HTTP: what they cost.',
      machine: { node: process.versions.node },
      tables: [table('1 ms'), table('2 ms')],
    })
  })

  it('takes the place of what the same one has printed before', () => {
    keepFigures(root, 'pages', join(root, 'one.bench.ts'), machine(), printed(table('1 ms')))
    keepFigures(root, 'pages', join(root, 'one.bench.ts'), machine(), printed(table('4 ms')))
    expect(figures().map(({ tables }) => tables)).toEqual([[table('4 ms')]])
  })

  it('leaves what was kept where a benchmark has printed no table', () => {
    const before = kept()
    keepFigures(root, 'soak', join(root, 'one.bench.ts'), machine(), join(root, 'none.jsonl'))
    expect(kept()).toBe(before)
  })
})
