/** Progress reports of an analysis: counts never decrease, no phase is missing, and skipped work is not reported. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { progressOn } from '../../compiler/commands/check/progress.ts'
import { compile, diagnose } from '../../compiler/compile.ts'
import { Memory } from '../../compiler/core/model/memo.ts'
import type { Milestone, Share, RunSteps } from '../../compiler/core/model/steps.ts'
import { readFolder } from '../../compiler/tools/read-folder.ts'
import type { Diagnostic } from '../../compiler/core/diagnostics/diagnostic.ts'

const OPTIONS = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
const { files } = await readFolder(join(import.meta.dirname, '../../fixtures/sites/marketplace'))
const templates = files.filter(({ path }) => path.endsWith('.liquid')).length

/** Returns the progress reports of some work, in order. */
function saidBy(work: (walk: RunSteps) => readonly Diagnostic[]): readonly Milestone[] {
  const said: Milestone[] = []
  const found = work((steps) => {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (step.value !== undefined) said.push(step.value)
    }
  })
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
  return said
}

const inCheck = ['Reading', 'Linking the files', 'Checking', 'Checking templates again', 'Checking the site as a whole']

it.each([
  [
    'a check',
    (walk: RunSteps) => diagnose(files, OPTIONS, new Memory(1), walk),
    [...inCheck, 'Looking for warnings', 'Following values through'],
  ],
  [
    'a build',
    (walk: RunSteps) => compile(files, OPTIONS, new Memory(1), walk).diagnostics,
    [...inCheck, 'Compiling', 'Looking for warnings', 'Following values through'],
  ],
])('%s counts every file and every template up, one by one', (_what, work, phases) => {
  const said = saidBy(work)
  expect([...new Set(said.map(({ doing }) => doing))]).toEqual(phases)
  // No phase is reported again after it has finished.
  expect(said.filter(({ doing }, at) => doing !== said[at - 1]?.doing)).toHaveLength(phases.length)
  for (const phase of phases) {
    const shares = said.flatMap(({ doing, share }): readonly Share[] => (doing === phase && share ? [share] : []))
    const { total } = shares[0] ?? { total: 0 }
    expect(shares.map(({ doneCount }) => doneCount)).toEqual(Array.from({ length: total }, (_, at) => at + 1))
    expect(shares.every((share) => share.total === total)).toBe(true)
    if (phase === 'Reading') expect(total).toBe(files.length)
    // Liquid in settings also counts as a template.
    if (shares[0]?.things === 'template') expect(total).toBeGreaterThanOrEqual(templates)
  }
})

it('is told as one thing after the other', () => {
  const written: string[] = []
  let now = 0
  const terminal = { isTTY: true, write: (text: string) => void written.push(text.slice('\r\u001b[K'.length)) }
  const { walk } = progressOn(terminal, {}, () => now)
  const milestones: readonly (Milestone | undefined)[] = [
    { doing: 'Reading', share: { doneCount: 1, total: 1, things: 'file' } },
    undefined,
    { doing: 'Linking' },
    undefined,
    { doing: 'Linking' },
    { doing: 'Checking', share: { doneCount: 1_200, total: 2_700, things: 'template' } },
  ]
  const result = walk(
    (function* () {
      for (const milestone of milestones) {
        now += 1_000
        yield milestone
      }
      return 'done'
    })(),
  )
  expect(result).toBe('done')
  expect(written).toEqual([
    'Reading 1 of 1 file …',
    'Reading 1 of 1 file …',
    'Linking … 0 s',
    'Linking … 1 s',
    'Linking … 2 s',
    'Checking 1,200 of 2,700 templates …',
  ])
})
