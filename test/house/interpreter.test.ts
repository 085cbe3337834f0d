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
