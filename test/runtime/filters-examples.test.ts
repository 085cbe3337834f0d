/**
 * Runs the examples of `fixtures/filters.json` that need no compiler: outputs and assignments of literals, names and filter
 * calls. Filters are called as emitted code calls them, so what is tested is the filters and nothing else.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LiquidFault } from '../../runtime/fault.ts'
import { makeHash } from '../../runtime/values/access.ts'
import { parseJson } from '../../runtime/values/json.ts'
import { printed } from '../../runtime/values/text.ts'
import { evaluate, knows } from './filters-evaluator.ts'

interface Example {
  readonly template: string
  readonly data: Record<string, unknown>
  readonly result: string
}

interface Entry {
  readonly name: string
  readonly examples: readonly Example[]
}

const entries = JSON.parse(readFileSync(new URL('../../fixtures/filters.json', import.meta.url), 'utf8')) as Entry[]

/** Answers of ours that differ on purpose from the example's text: where an error happened is the compiler's to add. */
const output = (template: string, data: unknown): string => {
  try {
    return evaluate(template, data as Record<string, unknown>, printed)
  } catch (error) {
    if (error instanceof LiquidFault) return `Liquid error: ${error.message}`
    throw error
  }
}

/** What these say is the database's or a provider's: they are tested where those are there. */
const ASK_THE_HOST: ReadonlySet<string> = new Set(['hcaptcha', 'is_token_valid', 'verify_access_key'])

describe('examples of the filters', () => {
  for (const { name, examples } of entries) {
    if (ASK_THE_HOST.has(name)) continue
    for (const { template, data, result } of examples) {
      if (!knows(template)) continue
      it(`${name}: ${template.replaceAll('\n', '⏎')}`, () => {
        const values = parseJson(JSON.stringify(data))
        expect(output(template, values ?? makeHash([]))).toBe(result)
      })
    }
  }
})
