/** Runs the tests of the site for an agent. */
import * as z from 'zod'
import { StartError } from '../../core/start-error.ts'
import { selectTests } from '../testing/select-tests.ts'
import type { SiteTests } from '../testing/site-tests.ts'

export const testsSchema = z.object({ files: z.array(z.string()), filter: z.string().optional() })

/** Maximum number of failures per test. */
const MAX_FAILURES = 10
/** Maximum length of a text in characters. */
const MAX_TEXT = 2_000

export async function runTestsForAgent(
  site: SiteTests,
  { files, filter }: z.infer<typeof testsSchema>,
): Promise<object> {
  const compiledTests = await site.compile()
  const allTests = await compiledTests.tests()
  const tests = selectTests(allTests, { chosenFiles: files, filter: filter ?? null })
  if (allTests.length === 0)
    throw new StartError(
      'The site has no tests yet: add a partial whose name ends in `_test`, such as app/lib/test/dish_test.liquid.',
    )
  if (tests.length === 0)
    throw new StartError(
      `None of the ${allTests.length} tests matches. The site has: ${allTests
        .slice(0, 20)
        .map(({ name }) => name)
        .join(', ')} …`,
    )
  const { results } = await compiledTests.run(tests, { onResult: () => undefined, coverage: false })
  const failed = results.filter(({ failures }) => failures.length > 0)
  return {
    ...{ passed: results.length - failed.length, failed: failed.length },
    failures: failed.map(({ test, failures }) => ({
      test: test.name,
      found: failures.slice(0, MAX_FAILURES).map(({ subject, message, place, values }) => ({
        ...(place !== null && { at: `${place.file}:${place.line}` }),
        ...(subject !== '' && { subject }),
        message: message.slice(0, MAX_TEXT),
        ...(values !== null && {
          expected: values.expected.slice(0, MAX_TEXT),
          got: values.got.slice(0, MAX_TEXT),
        }),
      })),
      ...(failures.length > MAX_FAILURES && { more: failures.length - MAX_FAILURES }),
    })),
  }
}
