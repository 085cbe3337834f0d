/** `yaml-syntax`: YAML that cannot be read. */
import { message } from '../../diagnostic.ts'

export const yamlSyntax = message(
  'yaml-syntax',
  'error',
  'YAMLSyntaxError',
  (problem: string, mend: string | null = null) => ({
    text: `This YAML cannot be read: ${problem}.`,
    hint: mend ?? undefined,
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
