/**
 * Runs the examples of `fixtures/filters.json` that need no compiler: outputs and assignments of literals, names and filter
 * calls. Filters are called like emitted code does, so only the filters are tested.
 */
import { describe, expect, it } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { printed } from '../../../../runtime/page/values/text.ts'
import { type Example, readEntries } from '../../../support/filter-fixtures.ts'
import { evaluateAsync, isSupported } from './evaluator.ts'

const entries = readEntries()

/** Renders an example. The compiler would add the location of an error, so the message has none. */
async function output({ template, data }: Example): Promise<string> {
  try {
    return await evaluateAsync(template, { context: { params: {} }, ...data }, printed)
  } catch (error) {
    if (error instanceof LiquidFault) return `Liquid error: ${error.message}`
    throw error
  }
}

/** Examples that contain more than filters. Another test runs all examples through the whole compiler. */
const COMPILED: ReadonlyMap<string, string> = new Map([['ecdh_compute', 'it compares with `if`']])

describe('examples of the filters', () => {
  const left = new Set<string>()
  for (const { name, examples } of entries) {
    for (const example of examples) {
      if (!isSupported(example.template)) {
        left.add(name)
        continue
      }
      it(`${name}: ${example.template.replaceAll('\n', '⏎')}`, async () => {
        expect(await output(example)).toBe(example.result)
      })
    }
  }

  it('are all run but for those of the list', () => {
    expect([...left].toSorted()).toEqual([...COMPILED.keys()].toSorted())
  })
})
