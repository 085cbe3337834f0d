/** `yaml-syntax`: YAML that cannot be read. `expected` is what the platform's own reader misses, where it is known. */
import { type Mend, message } from '../../diagnostic.ts'

export const yamlSyntax = message(
  'yaml-syntax',
  'error',
  'YAMLSyntaxError',
  (problem: string, mend: Mend | null = null, expected: string | null = null) => ({
    text: `This YAML cannot be read: ${problem}.`,
    ...mend,
    platform: `contains invalid YAML: ${expected === null ? problem : `could not find expected ${expected}`}`,
  }),
  {
    wrong: `---
slug: 'a
---
x`,
    right: `---
slug: a
---
x`,
  },
)
