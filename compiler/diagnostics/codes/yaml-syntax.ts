/** `yaml-syntax`: YAML that cannot be read. */
import { message } from '../diagnostic.ts'

export const yamlSyntax = message(
  'yaml-syntax',
  'error',
  'YAMLSyntaxError',
  (problem: string) => ({
    text: `This YAML cannot be read: ${problem}.`,
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
