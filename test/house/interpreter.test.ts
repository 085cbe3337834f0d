/** Tests that the flow of templates and the kinds of expressions are known in one place each. */
import { expect, it } from 'vitest'
import { wings } from './sources.ts'

const KINDS = ['literal', 'lookup', 'range', 'interpolation', 'hash', 'array', 'comparison', 'logical', 'filtered']

it('only the interpreter implements the kit that checks of tags use', () => {
  const implementations = wings.compiler.flatMap(({ path, text }) =>
    [...text.matchAll(/implements CheckKit|: CheckKit (?:= )?\{|as CheckKit/g)].map(() => path),
  )
  expect(implementations).toEqual(['compiler/phases/analyze/engine.ts'])
})

it('only the tree and the emitter have code for every kind of expression', () => {
  const exhaustive = wings.compiler.filter(({ text }) => KINDS.every((kind) => text.includes(`case '${kind}':`)))
  expect(exhaustive.map(({ path }) => path)).toEqual([
    'compiler/core/tree/expressions.ts',
    'compiler/phases/emit/expression.ts',
  ])
})

/** The drivers: each goes through the files or rules of one phase, or runs the phases. */
const DRIVERS = [
  'compiler/analysis.ts',
  'compiler/core/model/slices.ts',
  'compiler/core/model/steps.ts',
  'compiler/phases/analyze/outlines.ts',
  'compiler/phases/check/check.ts',
  'compiler/phases/check/fixpoint.ts',
  'compiler/phases/emit/emit-site.ts',
  'compiler/phases/emit/templates.ts',
  'compiler/phases/link/operations.ts',
  'compiler/phases/link/without-database.ts',
  'compiler/phases/parse/parse.ts',
  'compiler/pipeline/compile.ts',
  'compiler/pipeline/features.ts',
  'compiler/pipeline/findings.ts',
  'compiler/pipeline/pipeline.ts',
  'compiler/tools/cache/records.ts',
  'compiler/tools/service/session.ts',
]

it('only drivers pause, between two files or rules; all other code computes its result at once', () => {
  const pausing = wings.compiler.filter(({ text }) => /\bSteps<|type Steps\b/.test(text))
  expect(pausing.map(({ path }) => path)).toEqual(DRIVERS)
})
