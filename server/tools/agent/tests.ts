/** The tests of the site, as an agent reads their results. */
import * as z from 'zod'
import { StartError } from '../../core/start-error.ts'
import { selectTests } from '../testing/select-tests.ts'
import type { SiteTests } from '../testing/site-tests.ts'

export const testsSchema = z.object({ files: z.array(z.string()), filter: z.string().optional() })

/** Failures of one test that are told, and signs of a text. */
const MOST = 10
const LONGEST = 2_000

export async function tested(site: SiteTests, { files, filter }: z.infer<typeof testsSchema>): Promise<object> {
  const compiled = await site.compile()
  const all = await compiled.tests()
  const tests = selectTests(all, { chosen: files, filter: filter ?? null })
  if (all.length === 0)
    throw new StartError(
      'The site has no tests yet: they are partials whose names end in `_test`, as app/lib/test/dish_test.liquid.',
    )
  if (tests.length === 0)
    throw new StartError(
      `None of the ${all.length} tests fits: they are ${all
        .slice(0, 20)
        .map(({ name }) => name)
        .join(', ')} …`,
    )
  const { results } = await compiled.run(tests, { onResult: () => undefined, coverage: false })
  const failed = results.filter(({ failures }) => failures.length > 0)
  return {
    ...{ passed: results.length - failed.length, failed: failed.length },
    failures: failed.map(({ test, failures }) => ({
      test: test.name,
      found: failures.slice(0, MOST).map(({ subject, message, place, values }) => ({
        ...(place !== null && { at: `${place.file}:${place.line}` }),
        ...(subject !== '' && { subject }),
        message: message.slice(0, LONGEST),
        ...(values !== null && {
          expected: values.expected.slice(0, LONGEST),
          got: values.got.slice(0, LONGEST),
        }),
      })),
      ...(failures.length > MOST && { more: failures.length - MOST }),
    })),
  }
}
