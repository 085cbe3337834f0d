/** A bundle for browsers has no room for what is likely wrong with a YAML text: it says that it cannot be read, and where. */
import { readYaml } from './yaml.ts'
import type { YamlFix } from './yaml-fixes.ts'

export function findYamlFix(): YamlFix | null {
  return null
}

export function isReadable(text: string): boolean {
  return readYaml(text, '', 0).problems.every(({ kind }) => kind === 'duplicate-key' || kind === 'other-scalar')
}
