/** Recognizes the pages and jobs of the platform's module that run a site's tests. */

const PAGE = /^\/_tests\/run(?:\.\w+)?\/?$/
const JOB = /^(?:app\/)?modules\/tests\/(?:public|private)\/views\/pages\/_tests\/run_async[^#]*#/

/**
 * Returns whether a page runs tests.
 * @param path undecoded
 */
export function runsTests(path: string): boolean {
  return PAGE.test(path)
}

/** Returns whether a job runs tests, by the name of its unit. */
export function isTestRun(unit: string): boolean {
  return JOB.test(unit)
}
