/** Renames in the demo site: the result compiles without any diagnostic, so every use was found. */
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CompileOptions, diagnose } from '../../../../compiler/compile.ts'
import type { TableSettings } from '../../../../compiler/core/model/settings.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { RenameError, renameAt, type Renaming } from '../../../../compiler/tools/service/answers/rename.ts'
import { collectMentions } from '../../../../compiler/tools/service/answers/mentions.ts'
import { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { sampleEvenly } from '../../../support/renames.ts'
import { folderOf, opened } from './site.ts'

const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }
const DEMO = fileURLToPath(new URL('../../../../fixtures/sites/marketplace', import.meta.url))

/** Selects some or all items, by the environment variable of the other rename tests. */
function chosen<One>(all: readonly One[], count: number): readonly One[] {
  return process.env['INGOT_RENAMES'] === 'all' ? all : sampleEvenly(all, count, 20_260)
}

/** Returns the files after a rename. */
function renamed(files: readonly SourceFile[], { edits, moves }: Renaming): readonly SourceFile[] {
  return files.map((file): SourceFile => {
    const own = edits.filter(({ span }) => span.file === file.path).toSorted((a, b) => b.span.start - a.span.start)
    let { text } = file
    for (const { span, text: by } of own) text = text.slice(0, span.start) + by + text.slice(span.end)
    const path = moves.find(({ from }) => from === file.path)?.to ?? file.path
    const known = classify(path)
    return known === null || 'reason' in known ? file : { ...file, ...known, path, text }
  })
}

describe('in the demo site', () => {
  let workspace: Workspace
  const memo = new Memory()

  beforeAll(async () => {
    workspace = new Workspace(DEMO, { diagnosed: () => undefined })
    await workspace.settled()
    expect(diagnose(workspace.files(), OPTIONS, memo)).toEqual([])
    return () => workspace.stop()
  })

  /** Returns the problems of the site after a rename. */
  const wrongAfter = (path: string, offset: number, to: string): readonly string[] => {
    const files = workspace.files()
    const renaming = renameAt(workspace, path, offset, to)
    expect(renaming.edits.length).toBeGreaterThan(0)
    const diagnostics = diagnose(renamed(files, renaming), OPTIONS, memo)
    return diagnostics.map(({ span, message }) => `${path} → ${to}: ${span.file} ${message}`)
  }

  const units = () => workspace.siteAnalysis?.analysis.site.units ?? []

  test('properties of tables', { timeout: 300_000 }, () => {
    const all = units().flatMap(({ file, settings }) =>
      file.kind === 'table' ? (settings as TableSettings).properties.map((each) => ({ file, ...each })) : [],
    )
    const wrong = chosen(all, 8).flatMap(({ file, name, span }) =>
      wrongAfter(file.path, file.text.indexOf(name, span.start), `${name}_renamed`),
    )
    expect(wrong).toEqual([])
  })

  test('partials and queries, with their files', { timeout: 300_000 }, () => {
    const named = units().flatMap((unit) =>
      collectMentions(unit).flatMap(({ mentions }) =>
        mentions
          .filter(({ kind }) => kind === 'partial' || kind === 'query')
          .map((each) => ({ each, path: unit.file.path })),
      ),
    )
    const first = [...new Map(named.map((one) => [`${one.each.kind} ${one.each.name}`, one])).values()]
    expect(first.length).toBeGreaterThan(80)
    const wrong = chosen(first, 12).flatMap(({ each, path }) =>
      wrongAfter(path, each.span.start, `${each.name}_renamed`),
    )
    expect(wrong).toEqual([])
  })

  test('variables', { timeout: 300_000 }, () => {
    const named = units().flatMap((unit) =>
      collectMentions(unit).flatMap(({ mentions }, template) =>
        mentions
          .filter(({ kind, name, isAssigned: sets }) => kind === 'variable' && sets && name.length > 1)
          .map((each) => ({ each, path: unit.file.path, template })),
      ),
    )
    const first = [...new Map(named.map((one) => [`${one.path} ${one.each.scope} ${one.each.name}`, one])).values()]
    expect(first.length).toBeGreaterThan(100)
    const wrong = chosen(first, 25).flatMap(({ each, path }) =>
      wrongAfter(path, each.span.start, `${each.name}_renamed`),
    )
    expect(wrong).toEqual([])
  })
})

describe('a name that is', () => {
  test('computed is told of, and left', async () => {
    const { workspace } = await opened(
      folderOf({
        'app/views/pages/index.liquid':
          "{% assign of = 'x' %}{% include 'card' %}{% assign name = 'ca' | append: of %}{% include name %}\n",
        'app/views/partials/card.liquid': 'x\n',
      }),
    )
    const { edits, possible, moves } = renameAt(workspace, 'app/views/pages/index.liquid', 34, 'tile')
    expect(edits.map(({ span }) => span.start)).toEqual([33])
    expect(possible).toHaveLength(1)
    expect(moves).toEqual([{ from: 'app/views/partials/card.liquid', to: 'app/views/partials/tile.liquid' }])
  })

  test('taken is refused', async () => {
    const { workspace } = await opened(
      folderOf({
        'app/views/pages/index.liquid': "{% render 'card' %}{% render 'tile' %}\n",
        'app/views/partials/card.liquid': 'x\n',
        'app/views/partials/tile.liquid': 'x\n',
      }),
    )
    expect(() => renameAt(workspace, 'app/views/pages/index.liquid', 12, 'tile')).toThrow(RenameError)
  })

  test('a key of a translation changes in every language', async () => {
    const { workspace } = await opened(
      folderOf({
        'app/views/pages/index.liquid': "{{ 'shop.title' | t }}\n",
        'app/translations/en.yml': 'en:\n  shop:\n    title: Shop\n',
        'app/translations/de.yml': 'de:\n  shop:\n    title: Laden\n',
      }),
    )
    const { edits } = renameAt(workspace, 'app/views/pages/index.liquid', 10, 'name')
    expect(edits.map(({ span }) => `${span.file} ${span.start}`).toSorted()).toEqual([
      'app/translations/de.yml 16',
      'app/translations/en.yml 16',
      'app/views/pages/index.liquid 9',
    ])
  })
})
