/** `yaml-syntax`: YAML that cannot be read. `expected` is what the platform's own reader misses, where it is known. */
import { message } from '../../diagnostic.ts'

export const yamlSyntax = message(
  'yaml-syntax',
  'error',
  'YAMLSyntaxError',
  (problem: string, mend: string | null = null, expected: string | null = null) => ({
    text: `This YAML cannot be read: ${problem}.`,
    hint: mend ?? undefined,
    platform: `contains invalid YAML: ${expected === null ? problem : `could not find expected ${expected}`}`,
  }),
  {
    wrong: `---
slug: [a, b
---
x`,
    right: `---
slug: a
---
x`,
  },
)
