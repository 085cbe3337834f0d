/** Names of partials that are tests: those that the platform's module for tests runs, and `ingot test`. */

/** @param name of a partial: `test/dishes/create_test` */
export function isTestName(name: string): boolean {
  return name.endsWith('_test')
}
