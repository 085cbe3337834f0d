/** In a browser bundle there are no suggestions for YAML errors; only the error and its place are reported. */
import { readYaml } from './yaml.ts'
import type { YamlFix } from './yaml-fixes.ts'

export function findYamlFix(): YamlFix | null {
  return null
}

export function isReadable(text: string): boolean {
  return readYaml(text, '', 0).problems.every(({ kind }) => kind === 'duplicate-key' || kind === 'other-scalar')
}
