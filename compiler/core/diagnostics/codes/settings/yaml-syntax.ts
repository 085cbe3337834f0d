/**
 * `yaml-syntax`: YAML with a syntax error. `expected`: the token that the parser of the platform expects, if known. Reported by
 * `parseYaml` (language/settings/yaml.ts).
 */
import { type Fix, message } from '../../diagnostic.ts'

export const yamlSyntax = message(
  'yaml-syntax',
  'error',
  'YAMLSyntaxError',
  (problem: string, fix: Fix | null = null, expected: string | null = null) => ({
    text: `This YAML has a syntax error: ${problem}.`,
    ...fix,
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
