/** Renames in the demo site: the result compiles without any diagnostic, so every use was found. */
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CompileOptions, diagnose } from '../../../../compiler/compile.ts'
import type { Diagnostic } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import type { TableSettings } from '../../../../compiler/core/model/settings.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { RenameError, renameAt, type Renaming } from '../../../../compiler/tools/service/answers/rename.ts'
import { collectMentions } from '../../../../compiler/tools/service/answers/mentions.ts'
import { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { sampleEvenly } from '../../../support/renames.ts'
import { type Files, folderOf, opened } from './site.ts'

const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }
const DEMO = fileURLToPath(new URL('../../../../fixtures/sites/marketplace', import.meta.url))

/** Selects some or all items, by the environment variable of the other rename tests. */
function chosen<One>(all: readonly One[], count: number): readonly One[] {
  return process.env['INGOT_RENAMES'] === 'all' ? all : sampleEvenly(all, count, 20_260)
}

/** Returns whether no two renames change the same place or file name. */
function areApart(renamings: readonly Renaming[]): boolean {
  const places = renamings.flatMap(({ edits, moves }) => [
    ...edits.map(({ span }) => `${span.file}:${span.start}`),
    ...moves.map(({ from }) => from),
  ])
  return new Set(places).size === places.length
}

/** Returns the files after a rename. */
function renamed(
  files: readonly SourceFile[],
  { edits, moves }: Pick<Renaming, 'edits' | 'moves'>,
): readonly SourceFile[] {
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

  /** A rename: the path and the offset of a name, and the new name. */
  type Asked = readonly [path: string, offset: number, to: string]

  const renamingOf = ([path, offset, to]: Asked): Renaming => {
    const renaming = renameAt(workspace, path, offset, to)
    expect(renaming.edits.length).toBeGreaterThan(0)
    return renaming
  }

  const problemsAfter = (renamings: readonly Renaming[]): readonly Diagnostic[] => {
    const edits = renamings.flatMap((each) => each.edits)
    const moves = renamings.flatMap((each) => each.moves)
    return diagnose(renamed(workspace.files(), { edits, moves }), OPTIONS, memo)
  }

  /** Returns the problems of the site after each of the renames. All are tried at once, and each alone only if there is a problem. */
  const wrongAfter = (all: readonly Asked[]): readonly string[] => {
    const renamings = all.map(renamingOf)
    if (areApart(renamings) && problemsAfter(renamings).length === 0) return []
    return all.flatMap(([path, , to], at) =>
      problemsAfter(renamings.slice(at, at + 1)).map(({ span, message }) => `${path} → ${to}: ${span.file} ${message}`),
    )
  }

  const units = () => workspace.siteAnalysis?.analysis.site.units ?? []

  test('properties of tables', { timeout: 300_000 }, () => {
    const all = units().flatMap(({ file, settings }) =>
      file.kind === 'table' ? (settings as TableSettings).properties.map((each) => ({ file, ...each })) : [],
    )
    const asked = chosen(all, 8).map(({ file, name, span }): Asked => {
      return [file.path, file.text.indexOf(name, span.start), `${name}_renamed`]
    })
    expect(wrongAfter(asked)).toEqual([])
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
    const asked = chosen(first, 12).map(({ each, path }): Asked => [path, each.span.start, `${each.name}_renamed`])
    expect(wrongAfter(asked)).toEqual([])
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
    const asked = chosen(first, 25).map(({ each, path }): Asked => [path, each.span.start, `${each.name}_renamed`])
    expect(wrongAfter(asked)).toEqual([])
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

describe('a translation key', () => {
  const SITE: Files = {
    'app/views/pages/index.liquid':
      "{{ 'shop.cart.title' | t }}{{ 'shop.cart_empty' | t }}{{ 'cart.title' | t: scope: 'shop' }}{{ 'modules/mail/shop.cart' | t }}{% assign key = 'x' %}{{ 'shop.cart.' | append: key | t }}{{ 'title' | t: scope: key }}\n",
    'app/translations/en.yml': 'en:\n  shop:\n    "cart":\n      title: Cart\n    cart_empty: Empty\n',
    'app/translations/en/more.yml': 'en:\n  shop:\n    cart:\n      total: Total\n',
    'app/translations/de.yml': 'de:\n  shop:\n    cart:\n      title: Korb\n    cart_empty: Leer\n',
    'modules/mail/public/translations/en.yml': 'en:\n  shop:\n    cart: Mail\n',
  }

  /** Returns the texts of the lines after a rename at `‸`, without the unchanged ones. */
  async function changedLines(path: string, marked: string, to: string): Promise<readonly string[]> {
    const { workspace } = await opened(folderOf(SITE))
    const offset = (SITE[path] ?? '').indexOf(marked.replace('‸', '')) + marked.indexOf('‸')
    const renaming = renameAt(workspace, path, offset, to)
    return renamed(workspace.files(), renaming).flatMap((file) => {
      const before = (SITE[file.path] ?? '').split(/\n|(?<=\}\})/)
      return file.text
        .split(/\n|(?<=\}\})/)
        .flatMap((line, at) => (line === before[at] ? [] : [`${file.path}: ${line.trim()}`]))
    })
  }

  const CART = [
    "app/views/pages/index.liquid: {{ 'shop.basket.title' | t }}",
    "app/views/pages/index.liquid: {{ 'basket.title' | t: scope: 'shop' }}",
    'app/translations/en.yml: "basket":',
    'app/translations/en/more.yml: basket:',
    'app/translations/de.yml: basket:',
  ].toSorted()

  test.each([
    ['the middle of a key', 'app/views/pages/index.liquid', "'shop.ca‸rt.title"],
    ['a key below a scope', 'app/views/pages/index.liquid', "'ca‸rt.title"],
    ['a file of a language', 'app/translations/de.yml', 'ca‸rt:'],
    ['a second file of a language', 'app/translations/en/more.yml', 'ca‸rt:'],
    ['a quoted key', 'app/translations/en.yml', '"ca‸rt"'],
  ])('is renamed from %s', async (_what, path, marked) => {
    expect([...(await changedLines(path, marked, 'basket'))].toSorted()).toEqual(CART)
  })

  test('is renamed at its first part, also as a scope', async () => {
    const lines = await changedLines('app/views/pages/index.liquid', "'sh‸op.cart.title", 'store')
    expect([...lines].toSorted()).toEqual(
      [
        "app/views/pages/index.liquid: {{ 'store.cart.title' | t }}",
        "app/views/pages/index.liquid: {{ 'store.cart_empty' | t }}",
        "app/views/pages/index.liquid: {{ 'cart.title' | t: scope: 'store' }}",
        'app/translations/en.yml: store:',
        'app/translations/en/more.yml: store:',
        'app/translations/de.yml: store:',
      ].toSorted(),
    )
  })

  test.each([
    ['app/views/pages/index.liquid', 'mail/shop.ca‸rt'],
    ['modules/mail/public/translations/en.yml', 'ca‸rt: Mail'],
  ])('of a module is renamed from %s alone', async (path, marked) => {
    expect([...(await changedLines(path, marked, 'basket'))].toSorted()).toEqual([
      "app/views/pages/index.liquid: {{ 'modules/mail/shop.basket' | t }}",
      'modules/mail/public/translations/en.yml: basket: Mail',
    ])
  })

  test.each([
    ['shop.cart', "'shop.ca‸rt.title", 1],
    ['modules/mail/shop.cart', 'mail/shop.ca‸rt', 0],
  ])('is told of where %s may be computed', async (_key, marked, count) => {
    const { workspace } = await opened(folderOf(SITE))
    const path = 'app/views/pages/index.liquid'
    const offset = (SITE[path] ?? '').indexOf(marked.replace('‸', '')) + marked.indexOf('‸')
    expect(renameAt(workspace, path, offset, 'basket').possible).toHaveLength(count)
  })

  test('is not renamed to one that exists', async () => {
    const { workspace } = await opened(folderOf(SITE))
    const offset = (SITE['app/views/pages/index.liquid'] ?? '').indexOf('cart.title')
    expect(() => renameAt(workspace, 'app/views/pages/index.liquid', offset, 'cart_empty')).toThrow(RenameError)
  })
})
