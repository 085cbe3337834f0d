/** The diagnostics of the reference: each with an example that has it and one that has not, both run by the tests. */
import { compile } from '../compile.ts'
import type { Example } from '../diagnostics/diagnostic.ts'
import * as registry from '../diagnostics/index.ts'
import { filesFromTexts } from '../source/from-texts.ts'
import type { Block, Entry } from './entry.ts'

export function diagnosticEntries(): readonly Entry[] {
  return Object.values(registry)
    .map(({ code, severity, check, examples }): Entry => {
      const message = messageOf(code, examples.wrong)
      return {
        section: 'diagnostics',
        name: code,
        path: `diagnostics/${code}.html`,
        summary: message ?? `The check \`${check}\`.`,
        badges: [{ text: severity, tone: severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'plain' }],
        links: [],
        blocks: [
          { kind: 'words', text: message ?? '' },
          {
            kind: 'words',
            text: `Where it is meant to be so, a comment turns it off for the file, or for the lines up to its enabling: \`{% # platformos-check-disable ${check} %}\`.`,
          },
          block('Wrong', examples.wrong),
          block('Right', examples.right),
        ],
        also: [],
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** What an example with the mistake is told; null for codes of which no example can be compiled. */
function messageOf(code: string, example: Example): string | null {
  const texts = typeof example === 'string' ? { 'app/views/pages/index.liquid': example } : example
  const files = filesFromTexts(texts, false)
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
  return compile(files, options).diagnostics.find((each) => each.code === code)?.message ?? null
}

function block(title: string, example: Example): Block {
  const files = typeof example === 'string' ? { '': example } : example
  return {
    kind: 'example',
    title,
    says: null,
    files: Object.entries(files).map(([path, text]) => ({ path: path === '' ? null : path, text: text.trimEnd() })),
    prints: null,
    notes: [],
  }
}
