/** Recognizes partials that are tests, for the platform's test module and `ingot test`. */

/**
 * Checks whether a partial is a test.
 * @param name the name of the partial, such as `test/dishes/create_test`
 */
export function isTestName(name: string): boolean {
  return name.endsWith('_test')
}
