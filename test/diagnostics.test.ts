/** The examples of every code: the wrong one yields exactly that code, the right one nothing at all. */
import { describe, expect, it } from 'vitest'
import type { Code, Example } from '../compiler/diagnostics/diagnostic.ts'
import * as codes from '../compiler/diagnostics/index.ts'
import { compile } from '../compiler/compile.ts'
import { sourceFiles } from './case-file.ts'

const all = Object.values(codes) as unknown as readonly Code<never>[]

/** What an example as one text is: the home page of a site. */
const PAGE = 'app/views/pages/index.liquid'

/** As the command line compiles a site: only pages, forms, jobs and mails are entered from outside. */
function found(example: Example): readonly string[] {
  const files = sourceFiles(typeof example === 'string' ? { [PAGE]: example } : example, 'platform')
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
  return compile(files, options).diagnostics.map((each) => each.code)
}

describe('the examples', () => {
  for (const { code, examples } of all) {
    it(`${code}: the wrong one yields it and nothing else`, () => expect(found(examples.wrong)).toEqual([code]))
    it(`${code}: the right one yields nothing`, () => expect(found(examples.right)).toEqual([]))
  }
})
