/** Diagnostics of an open file before the whole site is analysed. */
import { expect, test } from 'vitest'
import { analysisSteps, earlyErrorSteps } from '../../../../compiler/analysis.ts'
import * as codes from '../../../../compiler/pipeline/diagnostics.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { runSteps } from '../../../../compiler/core/model/steps.ts'
import { selectReachable } from '../../../../compiler/tools/service/reachable-files.ts'
import { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'
import { NEW_SITE } from '../../../support/new-site.ts'
import { folderOf } from './site.ts'

const OPTIONS = { dialect: 'platform', syntax: 'lax', openEntries: false } as const
const PAGE = 'app/views/pages/index.liquid'

function early(file: SourceFile, files: readonly SourceFile[]) {
  const named = new Set(selectReachable(file.text, files)).add(file)
  return runSteps(
    earlyErrorSteps(
      file,
      files.filter((each) => named.has(each)),
      OPTIONS,
      new Memory(1),
    ),
  )
}

test('errors of the open file come before the site was looked at', async () => {
  const text = `${NEW_SITE[PAGE]}{{ 1 | upcas }}{% render 'nowhere' %}`
  const told: string[] = []
  const workspace = new Workspace(folderOf(NEW_SITE), {
    diagnosed: (path, found) => told.push(`${path}: ${found.map(({ code }) => code).join()}`),
    settled: () => told.push('all of it'),
  })
  workspace.edit(PAGE, text)
  await workspace.settled()
  expect(told.slice(0, 2)).toEqual([`${PAGE}: unknown-filter,missing-partial`, 'all of it'])
  workspace.stop()
})

test('none of them proves false', () => {
  let count = 0
  const falseOnes: string[] = []
  for (const { examples, code } of Object.values(codes))
    for (const example of [examples.wrong, examples.right]) {
      const files = filesFromTexts(typeof example === 'string' ? { [PAGE]: example } : example, false)
      const all = runSteps(analysisSteps(files, OPTIONS, new Memory(1))).diagnostics
      const places = new Set(all.map(({ code: own, span }) => `${own} ${span.file} ${span.start}`))
      for (const file of files)
        for (const found of early(file, files)) {
          count++
          if (!places.has(`${found.code} ${found.span.file} ${found.span.start}`))
            falseOnes.push(`${code}: ${found.code} ${found.message}`)
        }
    }
  expect(falseOnes).toEqual([])
  expect(count).toBeGreaterThan(50)
})

test('a partial is not told what only that caller passes which was saved beside it', () => {
  const [first, second] = ['app/views/pages/first.liquid', 'app/views/pages/second.liquid']
  const partial = 'app/views/partials/row.liquid'
  const files = filesFromTexts(
    {
      [first]: "{% render 'row', row: 'a text' %}",
      [second]: `{% parse_json row %}{"cells": [1]}{% endparse_json %}{% render 'row', row: row %}`,
      [partial]: '{% for cell in row.cells %}{{ cell }}{% endfor %}',
    },
    false,
  )
  const told = (checkedFiles?: ReadonlySet<string>) => {
    const options = { ...OPTIONS, ...(checkedFiles !== undefined && { checkedFiles }) }
    const { diagnostics } = runSteps(analysisSteps(files, options, new Memory(1)))
    return diagnostics.filter(({ span }) => span.file === partial).map(({ code }) => code)
  }
  expect(told()).toEqual([])
  expect(told(new Set([first, partial]))).toEqual([])
})
