/** The examples of every code: the wrong one yields exactly that code, and the right one yields none. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../../compiler/compile.ts'
import { languageWith } from '../../../../compiler/language/language.ts'
import { SERVER_FILTERS } from '../../../../runtime/page/browser/server-filters.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import type { DiagnosticCode, Example } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import * as codes from '../../../../compiler/pipeline/diagnostics.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { sourceFiles } from '../../../support/case-file.ts'

const all = Object.entries(codes) as unknown as readonly (readonly [string, DiagnosticCode<never>])[]

/** The path of an example that is a single text: the home page. */
const PAGE = 'app/views/pages/index.liquid'

/** Codes that the compiler does not report: those of the check of emitted modules. */
const PENDING: ReadonlySet<string> = new Set(['emitter-bug'])

/** Codes that no example text can cause, such as the code for files that are not text, and those of checks in JavaScript. */
const WITHOUT_EXAMPLES: ReadonlySet<string> = new Set([
  ...PENDING,
  'unreadable-file',
  'custom-check',
  'custom-check-failed',
])

/**
 * Codes about a whole site. The library API does not report them, because its files may be only part of a site, or it also reports
 * their consequences.
 */
const WHOLE_SITES: ReadonlySet<string> = new Set(
  'absent-in-jobs closed-channel missing-channel image-without-size implicit-include-argument parser-blocking-script unclosed-html unconverted-partial undefined-variable unknown-parameter unread-value unused-partial unwritten-value anonymous-user unclosed-attribute unclosed-start-tag misspelt-field nil-result unused-file unused-asset unused-translation useless-suppression unread-fields unclosed-placeholder spaced-end-tag invalid-json'.split(
    ' ',
  ),
)

/** Codes about unused files, which also occur in the examples of other codes, because these are only parts of sites. */
const UNNAMED: ReadonlySet<string> = new Set(['unused-file', 'unused-asset', 'unused-translation', 'unread-fields'])

const filesOf = (example: Example) => (typeof example === 'string' ? { [PAGE]: example } : example)

/** Codes of engines in a browser. An engine in Node has all features. */
const BROWSERS: ReadonlySet<string> = new Set(['needs-server'])

const WITHOUT_SERVER_FILTERS = languageWith([], [], SERVER_FILTERS)

/** Checks a site like the command line, but without server-only filters. Only pages, forms, jobs and emails are called from outside. */
function checkExample(example: Example, shown: string): readonly string[] {
  const files = Object.entries(filesOf(example))
  const left = files.flatMap(([path]) => {
    const kind = classify(path)
    return kind !== null && 'reason' in kind ? [{ path, message: kind.reason, suggestion: kind.suggestion }] : []
  })
  const read = Object.fromEntries(files.filter(([path]) => !left.some((each) => each.path === path)))
  const options = {
    language: WITHOUT_SERVER_FILTERS,
    dialect: 'platform',
    syntax: 'lax',
    openEntries: false,
    ignored: left,
  } as const
  const diagnostics = diagnose(sourceFiles(read, 'platform'), options)
  return diagnostics.map(({ code }) => code).filter((code) => code === shown || !UNNAMED.has(code))
}

function runInEngine(example: Example): readonly string[] {
  return createEngine({ files: filesOf(example) }).diagnostics.map(({ code }) => code)
}

describe('the examples', () => {
  for (const [, { code, examples }] of all) {
    if (WITHOUT_EXAMPLES.has(code)) continue
    it(`${code}: the wrong one yields it and nothing else`, () => {
      expect(checkExample(examples.wrong, code)).toEqual([code])
      // The library API accepts any file as a template.
      if (!WHOLE_SITES.has(code) && !BROWSERS.has(code) && code !== 'ignored-file')
        expect(runInEngine(examples.wrong)).toEqual([code])
    })
    it(`${code}: the right one yields nothing`, () => {
      expect(checkExample(examples.right, code)).toEqual([])
      expect(runInEngine(examples.right)).toEqual([])
    })
  }
})

describe('a code', () => {
  const folder = fileURLToPath(new URL('../../../../compiler', import.meta.url))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('index.ts'),
  )
  const compiler = paths
    .flatMap((path) =>
      readFileSync(`${folder}/${path}`, 'utf8')
        .split('\n')
        .filter((line) => !/^(?:import|export const) /.test(line)),
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
