/** Selects the tests that a command line or an agent names. */
import type { TestCase } from './model.ts'

interface TestSelection {
  /** Files and folders in the site, or names of tests; empty for all. */
  readonly chosenFiles: readonly string[]
  /** Text that the name of a test must contain; null for all. */
  readonly filter: string | null
}

/** Returns the tests that match a chosen file, folder or name, and whose names contain the filter text. */
export function selectTests(tests: readonly TestCase[], { chosenFiles, filter }: TestSelection): readonly TestCase[] {
  const isChosen = ({ name, file }: TestCase): boolean =>
    chosenFiles.length === 0 ||
    chosenFiles.some(
      (each) =>
        file === each || file.startsWith(`${each.replace(/\/$/, '')}/`) || name === each || name.endsWith(`/${each}`),
    )
  return tests.filter((test) => isChosen(test) && (filter === null || test.name.includes(filter)))
}
