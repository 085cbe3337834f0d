/** The examples of the library's guide. Each is a separate program. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of the guide in the project. */
export const GUIDE = 'compiler/tools/engine/README.md'

export interface GuideExample {
  /** The line of the guide on which the example begins. */
  readonly line: number
  readonly code: string
  readonly prints: readonly string[]
}

export function guideExamples(): readonly GuideExample[] {
  const text = readFileSync(fileURLToPath(new URL(`../../../../${GUIDE}`, import.meta.url)), 'utf8')
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map((found) => {
    const code = found[1] ?? ''
    return {
      line: text.slice(0, found.index).split('\n').length + 1,
      code,
      prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, printed = '']) => printed),
    }
  })
}
