/**
 * Starts a measurement. Returns a function that returns the milliseconds since then: the smaller of elapsed time, which other
 * programs increase, and CPU time, which garbage collector threads increase.
 */
export function measureCost(): () => number {
  const start = performance.now()
  const worked = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(worked)
    return Math.min(performance.now() - start, (user + system) / 1000)
  }
}
