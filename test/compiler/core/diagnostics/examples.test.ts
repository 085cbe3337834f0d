/** The examples of every code: the wrong one yields exactly that code, the right one nothing at all. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { languageWith } from '../../../../compiler/language/language.ts'
import { SERVER_FILTERS } from '../../../../runtime/page/browser/server-filters.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import type { DiagnosticCode, Example } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import * as codes from '../../../../compiler/core/diagnostics/index.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { sourceFiles } from '../../../support/case-file.ts'

const all = Object.entries(codes) as unknown as readonly (readonly [string, DiagnosticCode<never>])[]

/** What an example as one text is: the home page of a site. */
const PAGE = 'app/views/pages/index.liquid'

/** Codes that nothing in the compiler reports yet: of the check of emitted modules. */
const PENDING: ReadonlySet<string> = new Set(['emitter-bug'])

/** Codes that no text can show: the other one is of files that are no text. */
const WITHOUT_EXAMPLES: ReadonlySet<string> = new Set([...PENDING, 'unreadable-file'])

/** Codes about a site as a whole: the library face, whose files may be pieces of one, leaves them out, or tells what follows from them as well. */
const WHOLE_SITES: ReadonlySet<string> = new Set(
  'absent-in-jobs image-without-size implicit-include-argument parser-blocking-script unclosed-html unconverted-partial undefined-variable unknown-parameter unread-value unused-partial unwritten-value anonymous-user unclosed-attribute unclosed-start-tag misspelt-field nil-result unused-file unused-asset unused-translation useless-suppression unread-fields unclosed-placeholder spaced-end-tag invalid-json'.split(
    ' ',
  ),
)

/** What nothing of a whole site names: the examples of other codes are pieces of sites. */
const UNNAMED: ReadonlySet<string> = new Set(['unused-file', 'unused-asset', 'unused-translation', 'unread-fields'])

const filesOf = (example: Example) => (typeof example === 'string' ? { [PAGE]: example } : example)

/** Codes of engines in browsers: an engine of Node lacks nothing. */
const BROWSERS: ReadonlySet<string> = new Set(['needs-server'])

/** As the command line compiles a site, but without the filters of servers: only pages, forms, jobs and mails are entered from outside. */
function reported(example: Example, shown: string): readonly string[] {
  const files = Object.entries(filesOf(example))
  const left = files.flatMap(([path]) => {
    const kind = classify(path)
    return kind !== null && 'reason' in kind ? [{ path, message: kind.reason, suggestion: kind.suggestion }] : []
  })
  const read = Object.fromEntries(files.filter(([path]) => !left.some((each) => each.path === path)))
  const language = languageWith([], [], SERVER_FILTERS)
  const options = {
    language,
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: true,
    openEntries: false,
    ignored: left,
  } as const
  const { diagnostics } = compile(sourceFiles(read, 'platform'), options)
  return diagnostics.map(({ code }) => code).filter((code) => code === shown || !UNNAMED.has(code))
}

function inEngine(example: Example): readonly string[] {
  return createEngine({ files: filesOf(example) }).diagnostics.map(({ code }) => code)
}

describe('the examples', () => {
  for (const [, { code, examples }] of all) {
    if (WITHOUT_EXAMPLES.has(code)) continue
    it(`${code}: the wrong one yields it and nothing else`, () => {
      expect(reported(examples.wrong, code)).toEqual([code])
      // The library face takes any file as a template.
      if (!WHOLE_SITES.has(code) && !BROWSERS.has(code) && code !== 'ignored-file')
        expect(inEngine(examples.wrong)).toEqual([code])
    })
    it(`${code}: the right one yields nothing`, () => {
      expect(reported(examples.right, code)).toEqual([])
      expect(inEngine(examples.right)).toEqual([])
    })
  }
})

describe('a code', () => {
  const folder = fileURLToPath(new URL('../../../../compiler', import.meta.url))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') && !path.startsWith('core/diagnostics/codes/') && path !== 'core/diagnostics/index.ts',
  )
  const compiler = paths
    .flatMap((path) =>
      readFileSync(`${folder}/${path}`, 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith('import ')),
    )
    .join('\n')

  it('is reported somewhere, if it is not pending', () => {
    const idle = all.filter(([name]) => !new RegExp(`\\b${name}\\b`).test(compiler)).map(([, { code }]) => code)
    expect(
      idle.toSorted(),
      'a code that is reported now belongs into the examples, one that is not any more is to be removed',
    ).toEqual([...PENDING])
  })
})
