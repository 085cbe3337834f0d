/** What of a site runs its tests: the pages of the platform's module. */

const PAGE = /^\/_tests\/run(?:\.\w+)?\/?$/
const JOB = /^(?:app\/)?modules\/tests\/(?:public|private)\/views\/pages\/_tests\/run_async[^#]*#/

/** Whether a page runs tests. @param path undecoded */
export function runsTests(path: string): boolean {
  return PAGE.test(path)
}

/** Whether a job does, by the name of its unit. */
export function isTestRun(unit: string): boolean {
  return JOB.test(unit)
}
