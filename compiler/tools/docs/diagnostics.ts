/** The diagnostics of the reference, each with a wrong and a correct example. The tests compile both. */
import { diagnose } from '../../compile.ts'
import type { Diagnostic, Example } from '../../core/diagnostics/diagnostic.ts'
import { findQuickFix, applyEdits } from '../../core/diagnostics/quick-fix.ts'
import * as registry from '../../pipeline/diagnostics.ts'
import { filesFromTexts } from '../../core/source/from-texts.ts'
import type { Block, Entry } from './entry.ts'
import { example as exampleBlock, makeEntry, paragraph } from './page.ts'

/** Created on first use, because it takes seconds. The entries do not change while the process runs. */
let cachedEntries: readonly Entry[] | null = null

export function diagnosticEntries(): readonly Entry[] {
  cachedEntries ??= createEntries()
  return cachedEntries
}

function createEntries(): readonly Entry[] {
  return Object.values(registry)
    .map(({ code, severity, check, examples }): Entry => {
      const diagnostic = exampleDiagnostic(code, examples.wrong)
      const message = diagnostic?.message
      return makeEntry({
        section: 'diagnostics',
        name: code,
        path: `diagnostics/${code}.html`,
        summary: message ?? `The check \`${check}\`.`,
        badges: [{ text: severity, tone: severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'plain' }],
        blocks: [
          paragraph(message ?? ''),
          paragraph(
            `If the code is intended, a comment suppresses the diagnostic for the file, or for the lines up to the comment that enables it again: \`{% # platformos-check-disable ${code} %}\`.`,
          ),
          block('Wrong', examples.wrong),
          ...(diagnostic === null ? [] : fixBlocks(diagnostic, examples.wrong)),
          block('Right', examples.right),
        ],
      })
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the diagnostic of a wrong example; null for codes whose examples cannot be compiled. */
function exampleDiagnostic(code: string, example: Example): Diagnostic | null {
  const files = filesFromTexts(exampleTexts(example), false)
  const options = { dialect: 'platform', syntax: 'lax', openEntries: false } as const
  return diagnose(files, options).find((each) => each.code === code) ?? null
}

/** Returns the hint, and the example's changed files after the suggested change. */
function fixBlocks(diagnostic: Diagnostic, example: Example): readonly Block[] {
  const texts = exampleTexts(example)
  const fix = findQuickFix(diagnostic, (file) => texts[file])
  const hint = diagnostic.hint === undefined ? [] : [paragraph(diagnostic.hint)]
  if (fix === null) return hint
  const changed = [...new Set(fix.edits.map(({ file }) => file))].map((file): [string, string] => [
    file,
    applyEdits(
      texts[file] ?? '',
      fix.edits.filter((edit) => edit.file === file),
    ),
  ])
  const fixTitle = fix.safe ? 'The change, which `ingot check --fix` makes' : 'The change, which editors offer'
  const [only] = changed
  return [
    ...hint,
    block(fixTitle, typeof example === 'string' && only !== undefined ? only[1] : Object.fromEntries(changed)),
  ]
}

function exampleTexts(example: Example): Readonly<Record<string, string>> {
  return typeof example === 'string' ? { 'app/views/pages/index.liquid': example } : example
}

function block(title: string, example: Example): Block {
  return exampleBlock(typeof example === 'string' ? { '': example } : example, { title })
}
