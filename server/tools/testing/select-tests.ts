/** Selects the tests that a command line or an agent names. */
import type { TestCase } from './model.ts'

interface TestSelection {
  /** Files and folders in the site, or names of tests; empty for all. */
  readonly chosen: readonly string[]
  /** Text that the name of a test must contain; null for all. */
  readonly filter: string | null
}

/** Returns the tests that match a chosen file, folder or name, and whose names contain the filter text. */
export function selectTests(all: readonly TestCase[], { chosen, filter }: TestSelection): readonly TestCase[] {
  const isChosen = ({ name, file }: TestCase): boolean =>
    chosen.length === 0 ||
    chosen.some(
      (each) =>
        file === each || file.startsWith(`${each.replace(/\/$/, '')}/`) || name === each || name.endsWith(`/${each}`),
    )
  return all.filter((test) => isChosen(test) && (filter === null || test.name.includes(filter)))
}
